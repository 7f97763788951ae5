import { readFileSync, writeFileSync } from 'node:fs'

const read = (file) => JSON.parse(readFileSync(file, 'utf8'))

/**
 * Completes the bill of materials of the package with that of the console, and writes the notices that the licenses of
 * both ask for.
 * @throws Error for a package that comes without the text of its license.
 */
export function writeNotices(sbomFile, consoleSbomFile, noticesFile) {
  const sbom = read(sbomFile)
  const consoleSbom = read(consoleSbomFile)
  for (const bill of [sbom, consoleSbom]) leaveOutUnused(bill)
  const known = new Set(sbom.components.map(({ purl }) => purl))
  sbom.components.push(...consoleSbom.components.filter(({ purl }) => !known.has(purl)))
  const described = new Set(sbom.dependencies.map(({ ref }) => ref))
  sbom.dependencies.push(...consoleSbom.dependencies.filter(({ ref }) => !described.has(ref)))
  writeFileSync(noticesFile, noticesOf(sbom.components))
  // The texts are in the notices. The rest says nothing of which packages there are, and is a third of the file.
  for (const component of [sbom.metadata.component, ...sbom.metadata.tools.components, ...sbom.components]) {
    for (const field of ['evidence', 'description', 'externalReferences', 'properties']) delete component[field]
  }
  writeFileSync(sbomFile, `${JSON.stringify(sbom)}\n`)
}

const RULE = `\n\n${'-'.repeat(80)}\n\n`

/** Each license once, below the packages that are under it and whose they are. */
function noticesOf(components) {
  const packagesBy = new Map()
  for (const component of components.toSorted((a, b) => nameOf(a).localeCompare(nameOf(b)))) {
    const lines = licenseOf(component).split(/\r?\n/)
    const isOwners = (line) => /^\s*(\(?c\)? ?)?copyright\b(?! (notice|holders?|owner))/i.test(line)
    const owners = lines.filter(isOwners).map((line) => `  ${line.trim()}`)
    const terms = paragraphsOf(lines.filter((line) => !isOwners(line)))
    const heading = [`${nameOf(component)} ${component.version}`, ...owners].join('\n')
    packagesBy.set(terms, [...(packagesBy.get(terms) ?? []), heading])
  }
  const licenses = [...packagesBy].map(([terms, packages]) => `${packages.join('\n')}\n\n${terms}`)
  return `${['Mockademy contains these packages, under these licenses.', ...licenses].join(RULE)}\n`
}

/** The same for texts that only break their lines at other places. */
const paragraphsOf = (lines) =>
  lines
    .join('\n')
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.replace(/\s+/g, ' ').trim())
    .filter((paragraph) => paragraph !== '')
    .join('\n\n')

/** Modules that the build puts in the place of unused ones are no packages. */
function leaveOutUnused(bill) {
  const unused = new Set(bill.components.filter(({ purl }) => !purl).map((component) => component['bom-ref']))
  bill.components = bill.components.filter((component) => !unused.has(component['bom-ref']))
  bill.dependencies = bill.dependencies
    .filter(({ ref }) => !unused.has(ref))
    .map(({ dependsOn, ...rest }) => ({
      ...rest,
      ...(dependsOn && { dependsOn: dependsOn.filter((ref) => !unused.has(ref)) }),
    }))
}

const nameOf = ({ group, name }) => (group ? `${group}/${name}` : name)

function licenseOf(component) {
  const texts = (component.evidence?.licenses ?? []).map(({ license }) => license.text)
  if (texts.length > 0) return texts.map(({ content }) => Buffer.from(content, 'base64').toString().trim()).join('\n\n')
  const { license = {}, expression } = component.licenses?.[0] ?? {}
  const name = expression ?? license.id ?? license.name
  if (!name) throw new Error(`${nameOf(component)} does not say what its license is`)
  return `License: ${name}`
}
