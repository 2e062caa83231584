/**
 * Figures in prose that no run measures, by document: limits, settings, levels of confidence, and what others have measured, above all
 * the talk of 2018.
 */
export const constants: Readonly<Record<string, readonly string[]>> = {
  'README.md': ['95 %'],
  'advisor/README.md': ['1 ms', '400 MB', '50 ms', 'three quarters'],
  'apm-agent/README.md': ['250 ms'],
  'docs/containers.md': ['0.25 GiB', '1 GiB', '1.75 GiB', '4 GiB'],
  'docs/cores.md': ['12.5 %', 'a tenth'],
  'docs/kubernetes.md': ['100 ms'],
  'docs/logging.md': ['1 MiB', '16 MiB', '250 ms', '256 KiB', '256 MiB', '4 MiB', '64 MiB'],
  'docs/method.md': ['1.5 %', '2 %', '250 ms', '3 %', '5 %', '95 %'],
  'docs/reliability.md': ['1 MiB', '100 MB', '16 KiB', '250 ms', '256 KiB', '80 %'],
  'docs/rendering.md': ['256 KiB', '30 %', '500 ms'],
  'docs/report.md': ['30 %', '95 %'],
  'docs/scale.md': ['70 %'],
  'docs/serialization.md': ['2.3 times as', 'twice as fast'],
  'docs/spectrum.md': ['20 %', 'a tenth'],
  'docs/talk.md': ['17 %', '20 %', '25 %', '27 %', '30 %', '70 %'],
  'docs/tour.md': ['250 ms', '256 KiB'],
  'docs/workshop.md': ['1 GiB'],
  'docs/your-service.md': ['2 %', '90 %'],
  'logger-transport/README.md': ['250 ms', '256 KiB'],
  'render/README.md': ['95 %'],
  'workers/README.md': ['10 ms', '20 ms', '20 µs'],
}
