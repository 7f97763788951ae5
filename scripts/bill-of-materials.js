import { cyclonedxEsbuildPlugin } from '@cyclonedx/cyclonedx-esbuild'

/**
 * A plugin of esbuild that writes which packages are in a bundle, with their licenses, to a file. It does so quietly.
 * A test validates the file that is published, which takes a second.
 */
export function billOfMaterials(outputFile) {
  const { name, setup } = cyclonedxEsbuildPlugin({
    outputFile,
    gatherLicenseTexts: true,
    outputReproducible: true,
    validate: false,
  })
  return {
    name,
    setup: (build) => setup({ ...build, initialOptions: { ...build.initialOptions, logLevel: 'silent' } }),
  }
}
