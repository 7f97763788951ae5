import { isObject } from '../schema/is-object.js'
import { drawsFrom } from './invention.js'

const FIRST = [
  ...['Ada', 'Alan', 'Amara', 'Anika', 'Arno', 'Bela', 'Bruno', 'Carla', 'Cyrus', 'Dalia', 'Dario', 'Edda', 'Elio'],
  ...['Emre', 'Farah', 'Finn', 'Freya', 'Gita', 'Hana', 'Hugo', 'Ilse', 'Imani', 'Ivo', 'Jara', 'Jonas', 'Kaya'],
  ...['Kiran', 'Lara', 'Leon', 'Lina', 'Malik', 'Mara', 'Milo', 'Nadia', 'Nils', 'Nora', 'Odin', 'Olga', 'Omar'],
  ...['Paula', 'Petra', 'Quinn', 'Rafi', 'Rosa', 'Sami', 'Selma', 'Tara', 'Theo', 'Uma', 'Vera', 'Wanda', 'Yara'],
] as const

const LAST = [
  ...['Abel', 'Adler', 'Amsel', 'Arden', 'Ashby', 'Baker', 'Birch', 'Brook', 'Calder', 'Carver', 'Cooper', 'Dale'],
  ...['Drake', 'Elm', 'Farmer', 'Fisher', 'Fletcher', 'Forest', 'Gardner', 'Glover', 'Grove', 'Harper', 'Hazel'],
  ...['Heron', 'Hill', 'Hunter', 'Iver', 'Keeper', 'Lake', 'Linden', 'Marsh', 'Mason', 'Meadow', 'Miller', 'Moor'],
  ...['North', 'Oaks', 'Page', 'Piper', 'Potter', 'Quill', 'Reed', 'Rivers', 'Rowan', 'Sawyer', 'Shepherd', 'Stone'],
  ...['Tanner', 'Thorn', 'Turner', 'Vale', 'Wheeler', 'Wood', 'Woolf', 'Wren', 'Young'],
] as const

const WORDS = [
  ...[
    'about',
    'answer',
    'because',
    'before',
    'begin',
    'between',
    'clear',
    'course',
    'draw',
    'each',
    'early',
    'example',
  ],
  ...[
    'first',
    'follow',
    'group',
    'hand',
    'idea',
    'keep',
    'later',
    'learn',
    'lesson',
    'listen',
    'more',
    'note',
    'often',
  ],
  ...['open', 'other', 'page', 'part', 'plan', 'point', 'read', 'reason', 'second', 'short', 'show', 'simple', 'step'],
  ...['talk', 'task', 'think', 'time', 'together', 'try', 'watch', 'week', 'word', 'work', 'write'],
] as const

const LONGEST_TEXT = 60

/** The invented person that stands for a member: the same one wherever the id is met. real-platform: "People are made up" */
export function inventPerson(id: string) {
  const { pick, token } = drawsFrom(`person ${id}`)
  const first_name = pick(FIRST)
  const last_name = pick(LAST)
  const unique = token(10)
  return {
    first_name,
    last_name,
    full_name: `${first_name} ${last_name}`,
    email: `${first_name}.${last_name}.${unique}@people.example`.toLowerCase(),
    avatar: `https://avatars.example/${unique}.png`,
  }
}

/** Text about as long as `text`, in which nobody's words are left. */
export function inventText(text: string, seed: string): string {
  const { pick, token } = drawsFrom(`text ${seed} ${text.length}`)
  if (/^https?:\/\//i.test(text)) return `https://files.example/${token(10)}`
  const count = Math.min(text.split(/\s+/).filter(Boolean).length, LONGEST_TEXT)
  const words = Array.from({ length: count }, () => pick(WORDS)).join(' ')
  return words && `${words.charAt(0).toUpperCase()}${words.slice(1)}.`
}

/**
 * A value in which all that a person may have written is invented: every text but those that `known` says the platform
 * itself offered (an option's id or text), long numbers (telephone numbers are written so), and keys that are no plain names.
 */
export function inventValue(value: unknown, seed: string, known: ReadonlySet<string> = new Set()): unknown {
  if (typeof value === 'string') return known.has(value) ? value : inventText(value, seed)
  if (typeof value === 'number') return Math.abs(value) < 10_000 ? value : 0
  if (Array.isArray(value)) return value.map((item, index) => inventValue(item, `${seed}.${index}`, known))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner], index) => [
      known.has(key) || /^[a-z][a-z0-9_]{0,39}$/.test(key) ? key : `field_${index + 1}`,
      inventValue(inner, `${seed}.${index}`, known),
    ]),
  )
}
