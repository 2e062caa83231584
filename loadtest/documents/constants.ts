/**
 * Figures in prose that no run measures, by document: limits, settings, levels of confidence, and what others have measured, above all
 * the talk of 2018.
 */
export const constants: Readonly<Record<string, readonly string[]>> = {
  'README.md': ['95 %'],
  'advisor/README.md': ['1 ms', '400 MB', '5 %', '50 ms'],
  'apm-agent/README.md': ['250 ms'],
  'docs/apm.md': ['16 MiB'],
  'docs/architecture.md': ['3 ms'],
  'docs/break-even.md': ['13 ms', '2.5 MB'],
  'docs/containers.md': ['0.25 GiB', '1 GiB', '1.75 GiB', '4 GiB'],
  'docs/cores.md': ['100 ms', '12.5 %', '200 ms', '250 times as', '4 KB', '5 %', '5 ms'],
  'docs/kubernetes.md': ['100 ms', '20 ms', 'three quarters'],
  'docs/live.md': ['1 %'],
  'docs/logging.md': ['1 MiB', '16 MiB', '250 ms', '256 KiB', '256 MiB', '4 MiB', '64 MiB'],
  'docs/method.md': ['10 ms', '2 %', '250 ms', '3 %', '5 %', '95 %', '99 %'],
  'docs/reliability.md': [
    '1 MiB',
    '100 MB',
    '16 KiB',
    '160 MiB',
    '250 ms',
    '256 KiB',
    '60 MB',
    '64 MiB',
    '80 %',
  ],
  'docs/rendering.md': ['256 KiB', '30 %', '500 ms'],
  'docs/report.md': ['30 %', '95 %'],
  'docs/scale.md': ['1 KiB', '100 KiB', '16 KiB', '20 ms', '70 %'],
  'docs/serialization.md': ['2.3 times as', 'twice as fast'],
  'docs/spectrum.md': ['20 %', 'a tenth'],
  'docs/talk.md': ['17 %', '20 %', '25 %', '27 %', '3 ×', '30 %', '70 %'],
  'docs/tour.md': ['250 ms', '256 KiB'],
  'docs/workshop.md': ['1 GiB'],
  'docs/your-service.md': ['1 %', '1.2 %', '2 %', '50 ms', '90 %'],
  'logger-transport/README.md': ['250 ms', '256 KiB'],
}
