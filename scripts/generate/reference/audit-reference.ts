import { catalog } from '../../../src/programs/audit/checks/catalog.js'
import { code, codes, tableOf } from './markdown.js'

const chapters: Record<string, string> = {
  webhook: 'Webhooks',
  api: 'API and tokens',
  signin: 'Sign-in',
  leaks: 'Leaks',
}

/** The catalog of the audit, a table for each chapter. */
export const auditReference = (): string =>
  Object.entries(chapters)
    .flatMap(([chapter, title]) => {
      const checks = catalog.filter(({ id }) => id.split('.')[0] === chapter)
      const rows = checks.map(({ id, title, severity, needs }) => [code(id), title, severity, codes(needs)])
      return ['', `### ${title}`, ...tableOf(['check', 'a good app', 'severity', 'needs'], rows)]
    })
    .join('\n')
    .trim()
