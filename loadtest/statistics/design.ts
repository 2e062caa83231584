/** How a run was made, as far as it decides how wide its intervals have to be. */
export interface Design {
  /** Whether the run looked at its verdicts while it went on, as runs with `--quick` do. */
  readonly looks?: boolean | undefined
  /** Whether all samples of a row are of one start of its stack. */
  readonly keepsStacks?: boolean | undefined
}
