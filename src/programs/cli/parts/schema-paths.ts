/** The folder of the package's schemas, from the root of a project that has it installed. */
const FOLDER = 'node_modules/mockademy/fixtures'

/** Returns the value of `$schema`, for editors. @param up path from the file's folder to the project's root: `../`. */
export const schemaPath = (schema: 'audit.schema.json' | 'scenario.schema.json' | 'schema.json', up = './') =>
  `${up}${FOLDER}/${schema}`
