import { relative, resolve, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { findNodeAtLocation, type Node, parseTree } from 'jsonc-parser'
import { lineAt, nodeNear } from '../../foundation/schema/json-text.js'
import { isInside } from '../../foundation/store/store-folder.js'
import type { Place } from '../reports/sarif.js'

/**
 * Returns the places of checks in the audit's file: an entry of `accept`, else the first key that the check needs, else
 * `app`, which names the manifest.
 * @param audit the text that holds the audit's file, and its path within: `['audit']` in `mockademy.json`.
 * @param root folder of the repository.
 */
export function placesIn(
  { file, text, within }: { file: string; text: string; within: string[] },
  checks: readonly { id: string; needs: readonly string[] }[],
  root: string,
): (id: string) => Place {
  const tree = parseTree(text) as Node
  const path = resolve(file)
  const uri = isInside(root, path)
    ? relative(root, path).split(sep).map(encodeURIComponent).join('/')
    : pathToFileURL(path).href
  const needsOf = new Map(checks.map(({ id, needs }) => [id, needs]))
  return (id) => {
    const keys = [['accept', id], ...(needsOf.get(id) ?? []).map((need) => [need]), ['app']]
    const key = keys.find((each) => findNodeAtLocation(tree, [...within, ...each])) ?? []
    return { uri, line: lineAt(text, nodeNear(tree, [...within, ...key]).offset) }
  }
}
