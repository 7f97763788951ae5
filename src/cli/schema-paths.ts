/** Where editors find the schemas from the root of a project that has the package installed. */
const FOLDER = './node_modules/mockademy/fixtures'

export const FIXTURE_SCHEMA = `${FOLDER}/schema.json`
