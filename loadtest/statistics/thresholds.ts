/** The thresholds of the statistics, each in this one place. */

/** The share of intervals that contain the true value. */
export const COVERAGE = 0.95

/**
 * The confidence with which the bootstrap takes its intervals: a little above {@link COVERAGE}, because a run that stops when
 * its interval is narrow prefers the moments in which it is so by luck (`coverage.long.ts`).
 */
export const BOOTSTRAP_CONFIDENCE = 0.965

/** An interval of the bootstrap is never wider than that of Student's t with this confidence. */
export const MOST_CONFIDENCE = 0.99

export const RESAMPLES = 999

/** The bootstrap takes an interval from at least this many values: resamples of fewer hardly scatter. */
export const LEAST_VALUES = 5

/** Of an interval from fewer than {@link MANY_BLOCKS} blocks, which relies on the scatter of all rows of its run. */
export const FEW_CONFIDENCE = 0.965

/** From so many blocks on, two rows show themselves how much they scatter. */
export const MANY_BLOCKS = 10

/** Such an interval needs this many degrees of freedom in the whole run. */
export const LEAST_DEGREES = 5

/**
 * All looks of a run with `--quick` together call a row that is compared with itself less or more in this share of runs. Noise
 * that differs between rows makes it more, and 2 % are promised.
 */
export const QUICK_ERROR = 0.012

/**
 * Scatter of the starts of one stack, in logarithms. Whole samples of fresh stacks scatter by 3 % on a calm machine (`aa`), so
 * starts alone scatter by less.
 */
export const START_SCATTER = 0.03

/** Windows of each sample, in turns with those of the other rows: the split that leaves intervals narrow (`turns.long.ts`). */
export const TURNS = 8

/** A covariate adjusts a ratio if its slope is above 0 with this confidence. */
export const SLOPE_CONFIDENCE = 0.993

/** A covariate that itself differs between two rows with this confidence does not adjust their ratio. */
export const DEPENDENCE_CONFIDENCE = 0.995

/** A ratio this close to 1 is no difference that matters to anyone. */
export const EQUIVALENCE = 0.02

/** 80 % of runs find a change of the smallest detectable size: the normal quantile of that share, beyond the half width. */
export const POWER_QUANTILE = 0.8416

/** At a low rate, the window of a sample is so long that this many requests are due in it. */
export const LEAST_REQUESTS = 500

/** A run with a budget may stop for the first time after this many blocks. */
export const FIRST_CHECK_BLOCKS = 8

/** Each later check comes after this many times the blocks of the check before. */
export const CHECK_GROWTH = 1.5

/** A run with a budget stops when its ratios are known this narrowly, as a share. */
export const NARROW = 0.015

/**
 * Milliseconds that neighbours kept a main thread waiting for a core, for each that it ran. Above this, a sample is marked as
 * noisy.
 */
export const NOISY_WAIT = 0.25

/** Above this, a sample is refused: it says nothing about the row. */
export const REFUSED_WAIT = 4
