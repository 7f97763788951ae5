import { manifestSchema } from '../../../platform/apps/manifest-schema.js'
import { type Choices, writesTest } from './new-files.js'
import type { Project } from './project.js'
import { type RunnerName, runnerNames } from './runners.js'

/** Returns the issue of a manifest id, if any. wire: §7 */
export const appIdIssue = (id: string): string | undefined => issueWith({ id })

/** Returns the issue of an app's address as part of its manifest's URLs, if any. spec: §2.5 */
export function appUrlIssue(text: string): string | undefined {
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
  const choices = { ...proposed }
  if (given.app === undefined) {
    const app = await text({
      message: "Your app's id, as in its manifest",
      initialValue: proposed.app,
      validate: (id) => appIdIssue(id ?? ''),
    })
    if (isCancel(app)) return undefined
    choices.app = app
  }
  if (given.appUrl === undefined) {
    const appUrl = await text({
      message: 'Where it runs',
      initialValue: proposed.appUrl,
      validate: (url) => appUrlIssue(url ?? ''),
    })
    if (isCancel(appUrl)) return undefined
    choices.appUrl = appUrl
  }
  if (given.runner === undefined && writesTest(project)) {
    const runner = await select<RunnerName>({
      message: 'Test runner',
      initialValue: proposed.runner,
      options: runnerNames.map((value) => ({ value, label: value })),
    })
    if (isCancel(runner)) return undefined
    choices.runner = runner
  }
  return choices
}
