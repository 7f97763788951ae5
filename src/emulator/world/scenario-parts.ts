/** The result of a scenario. control-api: "Scenarios" */
export interface ScenarioResult {
  passed: boolean
  steps: {
    index: number
    name: string | null
    step: string
    ok: boolean
    /** Real milliseconds. */
    ms: number
    result?: unknown
    error?: { message: string; mismatches: { path: string; expected: unknown; got?: unknown }[]; entries: number[] }
  }[]
}

/** Control calls and requests as a scenario. control-api: "Scenarios" */
export interface Recording {
  scenario: { title?: string | undefined; steps: object[] }
  /** Remarks about what is not recorded as a step, with the step that it precedes. */
  left_out: { before: number; request: string; why: string }[]
}

/** Runs scenarios against this very emulator, and knows the requests that they make themselves. */
export interface Scenarios {
  /**
   * @param scenario as it came: it is checked whole before its first step.
   * @throws Refusal 400 with every issue; 409 while another scenario runs.
   */
  run(scenario: unknown, signal: AbortSignal): Promise<ScenarioResult>
  /** Keeps control calls and requests from now on; what was kept before is dropped. @returns the time on the clock. */
  startRecording(): Promise<string>
  /** The time at which the recording that is under way began; null without one. */
  recordingSince(): string | null
  /** @returns what was kept, as a scenario; undefined when nothing was being recorded. */
  stopRecording(): Promise<Recording | undefined>
  /** True for a connection of a scenario's own request, false for the app's. */
  isOwn(client: string, port: number | undefined): boolean
}
