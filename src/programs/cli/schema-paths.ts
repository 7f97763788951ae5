/** Where the package keeps its schemas, from the root of a project that has it installed. */
const FOLDER = 'node_modules/mockademy/fixtures'

/** What `$schema` of a file says, for editors. @param up from the file's folder to the project's root, as `../`. */
export const schemaPath = (schema: 'audit.schema.json' | 'scenario.schema.json' | 'schema.json', up = './') =>
  `${up}${FOLDER}/${schema}`
