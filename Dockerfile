# One target a process. Each image holds the files and packages that its process imports, and no others: `npx node release/images/main.ts`
# tells what that is, and copies it. `docker compose build` makes all images.
#
#   node ─┬▶ packages ─── npm's packages ──▶ build ─── pages for browsers, content of every image
#         └▶ runtime ──────────────────────────────────────▼
#                                          orders, logger-transport, apm-agent, app, worker, loadtest
ARG NODE_TAG

FROM docker.io/library/node:${NODE_TAG} AS node
WORKDIR /srv

# The tag moves. Where it has left the version that npm pins, npm's binary takes the place of the image's.
FROM node AS packages
COPY package.json package-lock.json ./
COPY advisor/package.json advisor/
COPY apm-agent/package.json apm-agent/
COPY logger-transport/package.json logger-transport/
COPY render/package.json render/
COPY workers/package.json workers/
RUN --mount=type=cache,target=/root/.npm npm ci --ignore-scripts \
  && mkdir /pinned \
  && pinned=node_modules/node-linux-$(node -p process.arch) \
  && if [ "$(node --version)" != "$($pinned/bin/node --version)" ]; then mv $pinned/bin/node /pinned; fi \
  && rm -r $pinned

FROM packages AS build
COPY . .
RUN node build.ts && node release/images/main.ts --into /images

FROM node AS runtime
# An init in the image: compose's `init: true` takes the engine's, which a podman may not have.
RUN apt-get update \
  && apt-get install -y --no-install-recommends tini \
  && rm -rf /var/lib/apt/lists/*
# A volume takes its owner from the directory that it is mounted on.
RUN install -d -o node -g node -m 700 logs run loadtest loadtest/results
COPY --from=packages /pinned /usr/local/bin
COPY stack/is-healthy.sh stack/
ENV NODE_ENV=production
ENTRYPOINT ["tini", "--", "node"]
# The number of the user `node`: Kubernetes sees only of a number that it is not root's.
USER 1000

# The server over which tasks go to workers, for compute nats.
FROM node AS nats
RUN apt-get update \
  && apt-get install -y --no-install-recommends nats-server \
  && rm -rf /var/lib/apt/lists/*
COPY stack/is-healthy.sh stack/
ENTRYPOINT ["nats-server"]
USER 1000

FROM runtime AS orders
COPY --from=build /images/orders/packages ./
COPY --from=build /images/orders/sources ./
CMD ["orders/main.ts"]

FROM runtime AS logger-transport
COPY --from=build /images/logger-transport/packages ./
COPY --from=build /images/logger-transport/sources ./
CMD ["stack/when-needed.ts", "logger-transport"]

FROM runtime AS apm-agent
COPY --from=build /images/apm-agent/packages ./
COPY --from=build /images/apm-agent/sources ./
CMD ["stack/when-needed.ts", "apm-agent"]

FROM runtime AS app
COPY --from=build /images/app/packages ./
COPY --from=build /images/app/sources ./
CMD ["--no-allocation-site-pretenuring", "--invocation-count-for-maglev=100", "--invocation-count-for-turbofan=500", "--minimum-invocations-after-ic-update=100", "app/main.ts"]

FROM runtime AS worker
COPY --from=build /images/worker/packages ./
COPY --from=build /images/worker/sources ./
CMD ["workers/remote.ts"]

FROM runtime AS loadtest
COPY --from=build /images/loadtest/packages ./
COPY --from=build /images/loadtest/sources ./
ENTRYPOINT ["tini", "--", "node", "loadtest/main.ts"]
CMD []
