/** What a steady load may ask for: the talk's request, the page, or four of the first to one of the second. */
export const steadyScenarios = ['demo', 'page', 'mix'] as const
export type SteadyScenario = (typeof steadyScenarios)[number]

/** The scenario that a key chooses after this one. */
export const nextScenario = (scenario: SteadyScenario): SteadyScenario =>
  steadyScenarios[(steadyScenarios.indexOf(scenario) + 1) % steadyScenarios.length] as SteadyScenario
