import type { Issue } from '../../foundation/schema/issue.js'

/** The changed properties of an element and the result, as far as they are valid. */
export interface PropertyUpdate {
  /** The properties that are given and differ from what is stored, as sent, valid or not. */
  changed: Record<string, unknown>
  /** Every property as it will be; what is not valid is missing. */
  result: Record<string, unknown>
}

/** A rule between properties of one element. Paths begin at the property. */
export type Rule = (update: PropertyUpdate) => Issue[]

/** wire: §5 `video_url` in a request */
export const onlyUrlVideosChange: Rule = ({ changed, result }) =>
  Object.hasOwn(changed, 'video_url') && Object.hasOwn(result, 'video_url') && result.video_type === 'SOURCE'
    ? [{ path: 'video_url', message: 'can only change while video_type is URL; send video_type "URL" with it' }]
    : []

/** wire: §5 `min_members`/`max_members` */
export const membersInOrder: Rule = ({ changed, result: { min_members, max_members } }) => {
  if (typeof min_members !== 'number' || typeof max_members !== 'number' || max_members >= min_members) return []
  return Object.hasOwn(changed, 'max_members')
    ? [{ path: 'max_members', message: `must not be below min_members (${min_members})` }]
    : [{ path: 'min_members', message: `must not be above max_members (${max_members})` }]
}
