import { appendFile } from 'node:fs/promises'
import { relative } from 'node:path'
import { type Annotation, type JobSummary, jobSummary, workflowCommand } from '../../reports/github.js'
import { type Arguments, flag, say } from '../command/command.js'

/** Set for the command that `exec` runs: `reported`, so that commands in it write no second summary of the job, or `1`. */
export const WITHIN_RUN = 'MOCKADEMY_WITHIN_RUN'
const REPORTED = 'reported'

export const ciFlag = {
  ci: flag.switch(
    'On GitHub Actions, add to the summary of the job, also within exec, and annotate what failed; --no-ci does not',
  ),
}

/** Returns the variable of `WITHIN_RUN` for the command of a run. */
export const withinRun = ({ ci }: Arguments) => ({
  [WITHIN_RUN]: ci === false ? (process.env[WITHIN_RUN] ?? '1') : REPORTED,
})

/** Annotates the run on GitHub Actions and adds to the summary of its job, unless an outer run does. */
export async function reportToCi(args: Arguments, summary: JobSummary, annotations: Annotation[] = []): Promise<void> {
  const { GITHUB_ACTIONS, GITHUB_STEP_SUMMARY, GITHUB_WORKSPACE, [WITHIN_RUN]: within } = process.env
  if (!GITHUB_ACTIONS || args.ci === false) return
  // Standard output may be a report.
  for (const annotation of annotations) {
    // GitHub looks for files from the root of the repository.
    const file = annotation.file && relative(GITHUB_WORKSPACE ?? '.', annotation.file).replaceAll('\\', '/')
    process.stderr.write(`${workflowCommand({ ...annotation, ...(file && { file }) })}\n`)
  }
  if (!GITHUB_STEP_SUMMARY || (within === REPORTED && args.ci !== true)) return
  await appendFile(GITHUB_STEP_SUMMARY, jobSummary(summary)).catch(({ message }: Error) => {
    say(`warning: the summary of the job cannot be written: ${message}`)
  })
}
