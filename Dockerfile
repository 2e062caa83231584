# One target a process, with the folders that it imports. `docker compose build` makes them all.
#
#   node ─┬▶ production ─── npm's packages ─▶ runtime ─▶ orders, logger-transport, apm-agent, app, loadtest
#         └▶ build ──────── pages for browsers ───────────────────────────────▲──────────▲
ARG NODE_TAG

FROM docker.io/library/node:${NODE_TAG} AS node
WORKDIR /srv

# The tag moves. Where it has left the version that npm pins, npm's binary will take the place of the image's.
FROM node AS production
COPY package.json package-lock.json ./
RUN --mount=type=cache,target=/root/.npm npm ci --ignore-scripts --omit=dev --omit=optional \
  && find node_modules -type f '(' -name '*.map' -o -name '*.d.ts' -o -name '*.md' ')' -delete \
  && mkdir /pinned \
  && platform=node-linux-$(node -p process.arch) \
  && version=$(node -p "require('./package.json').optionalDependencies['$platform']") \
  && if [ "$(node --version)" != "v$version" ]; then \
    npm install --prefix /tmp/pinned "$platform@$version" && mv "/tmp/pinned/node_modules/$platform/bin/node" /pinned; \
  fi

# What makes the pages is not kept: with it the layer has a gigabyte.
FROM node AS build
COPY . .
RUN --mount=type=cache,target=/root/.npm npm ci --ignore-scripts && npm run build && rm -r node_modules

FROM node AS runtime
# An init in the image: compose's `init: true` takes the engine's, which a podman may not have.
RUN apt-get update \
  && apt-get install -y --no-install-recommends tini \
  && rm -rf /var/lib/apt/lists/*
# A volume takes its owner from the directory that it is mounted on.
RUN install -d -o node -g node -m 700 logs run loadtest loadtest/results
COPY --from=production /pinned /usr/local/bin
COPY --from=production /srv/node_modules node_modules
COPY package.json ./
COPY lib lib
COPY stack stack
ENV NODE_ENV=production
ENTRYPOINT ["tini", "--", "node"]
USER node

FROM runtime AS orders
COPY orders orders
CMD ["orders/main.ts"]

# The sidecars read which composition needs them from the table of steps, which is the app's.
FROM runtime AS logger-transport
COPY app app
COPY workers workers
COPY apm-agent apm-agent
COPY logger-transport logger-transport
CMD ["stack/when-needed.ts", "logger-transport"]

FROM runtime AS apm-agent
COPY app app
COPY --from=build /srv/apm-agent apm-agent
COPY --from=build /srv/logger-transport logger-transport
CMD ["stack/when-needed.ts", "apm-agent"]

FROM runtime AS app
COPY orders orders
COPY logger-transport logger-transport
COPY workers workers
COPY --from=build /srv/apm-agent apm-agent
COPY --from=build /srv/render render
COPY app app
CMD ["app/main.ts"]

FROM app AS loadtest
COPY --from=build /srv/loadtest loadtest
ENTRYPOINT ["tini", "--", "node", "loadtest/main.ts"]
CMD []
