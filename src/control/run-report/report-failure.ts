import type { ReportOptions } from './run-report.js'

/**
 * Writes the report of a failed test into the folder that `MOCKADEMY_REPORT` names, if it names one.
 * @returns the path of the file.
 */
export async function reportFailure(
  report: (file: string, options: ReportOptions) => Promise<string>,
  options: ReportOptions,
): Promise<string | undefined> {
  const folder = process.env.MOCKADEMY_REPORT
  if (!folder) return undefined
  return report(`${folder}/`, options).catch((error: Error) => {
    throw new Error(`No report in the folder that MOCKADEMY_REPORT names: ${error.message}`, { cause: error })
  })
}
