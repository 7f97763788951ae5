import { manifestSchema } from '../../../platform/apps/manifest-schema.js'
import { type Choices, writesTest } from './new-files.js'
import type { Project } from './project.js'
import { type RunnerName, runnerNames } from './runners.js'

/** Returns the issue of a manifest id, if any. wire: §7 */
export const appIdIssue = (id = ''): string | undefined => issueWith({ id })

/** Returns the issue of an app's address as part of its manifest's URLs, if any. spec: §2.5 */
export function appUrlIssue(text = ''): string | undefined {
  const issue = issueWith({ webhook: { url: text } })
  if (issue) return issue
  const { search, hash } = new URL(text)
  return search || hash ? 'must have neither a query nor a fragment' : undefined
}

const issueWith = (fields: object) =>
  manifestSchema([]).safeParse({ id: 'id', name: 'Name', version: '1.0.0', ...fields }).error?.issues[0]?.message

/** Asks on the terminal for the choices that are not given. @returns undefined when the person cancels. */
export async function ask(project: Project, proposed: Choices, given: Partial<Choices>): Promise<Choices | undefined> {
  const { intro, isCancel, select, text } = await import('@clack/prompts')
  intro('mockademy init')
  const { app, appUrl, runner } = proposed
  const options = runnerNames.map((value) => ({ value, label: value }))
  const questions = {
    ...(project.apps.length === 0 && {
      app: () => text({ message: "Your app's id, as in its manifest", initialValue: app, validate: appIdIssue }),
    }),
    appUrl: () => text({ message: 'Where it runs', initialValue: appUrl, validate: appUrlIssue }),
    ...(writesTest(project) && {
      runner: () => select<RunnerName>({ message: 'Test runner', initialValue: runner, options }),
    }),
  }
  let choices = proposed
  for (const [name, question] of Object.entries(questions)) {
    if (name in given) continue
    const answer = await question()
    if (isCancel(answer)) return undefined
    choices = { ...choices, [name]: answer }
  }
  return choices
}
