import * as v from 'valibot'
import { mapsFile, preloadsFor } from '../registry.ts'
import { budgets, kib } from '../weights.ts'
import { type BuiltFile, type Candidate, type Finding, fault, fine, foundIn, textOf } from './candidate.ts'

/** Bytes of a file over the wire. */
const sizeOf = (file: BuiltFile | undefined) => (file?.packed?.br ?? file?.content)?.length ?? 0

/** What each page needs at the first visit, with the entry. A remote does not say which page needs which style sheet. */
export function pagesWithinBudget({ details, files }: Candidate): Finding {
  const sheets = details.remote ? [...files.keys()].filter((path) => path.endsWith('.css')) : []
  const pages = Object.keys(details.preloads).filter((path) => path.startsWith('/'))
  if (!pages.length)
    return fault('build.json names no page: build it with portal-module, which lists what each page needs.')
  const weigh = (page: string, locale: string) =>
    [...new Set([...sheets, ...preloadsFor(details, page, locale)])].reduce(
      (sum, path) => sum + sizeOf(files.get(path)),
      0,
    )
  const sizes = pages
    .map((page) => ({ page, bytes: Math.max(weigh(page, 'en'), weigh(page, 'fr')) }))
    .sort((a, b) => b.bytes - a.bytes)
  const heavy = sizes.filter(({ bytes }) => bytes > budgets.page)
  if (heavy.length)
    return fault(
      `${heavy.map(({ page, bytes }) => `${page} is ${kib(bytes)}`).join(', ')}, a page may be ${kib(budgets.page)}: load what it does not need at first with import(), and dialogs with lazy() of @portal/screens/lazy.`,
    )
  const [most = { page: '', bytes: 0 }] = sizes
  return fine(`The largest page (${most.page}) is ${kib(most.bytes)} of ${kib(budgets.page)}.`)
}

/** The files of a build, the heaviest first. */
const byWeight = ({ details, files }: Pick<Candidate, 'details' | 'files'>) =>
  Object.keys(details.files)
    .map((path) => ({ path, bytes: sizeOf(files.get(path)) }))
    .sort((a, b) => b.bytes - a.bytes)

/** The files that are too heavy. */
export const heavyFiles = (candidate: Pick<Candidate, 'details' | 'files'>): string[] =>
  byWeight(candidate).flatMap(({ path, bytes }) => (bytes > budgets.file ? [path] : []))

/** What is wrong with the size of files and source maps before they are compressed; null if nothing is. */
export const faultOfUnpacked = (bytes: number): string | null =>
  bytes > budgets.unpacked
    ? `The files and source maps are larger than ${kib(budgets.unpacked)} before they are compressed: leave out what is not shown.`
    : null

/** Each file, also one that is loaded lazily, and all of them together. */
export function filesWithinBudget(candidate: Candidate): Finding {
  const sizes = byWeight(candidate)
  const total = sizes.reduce((sum, { bytes }) => sum + bytes, 0)
  const heavy = sizes.filter(({ bytes }) => bytes > budgets.file)
  const unpacked = faultOfUnpacked(
    [...candidate.files.values()].reduce((sum, { content }) => sum + content.length, 0),
  )
  const faults = [
    ...(unpacked ? [unpacked] : []),
    ...(heavy.length
      ? [
          `${heavy.map(({ path, bytes }) => `${path} is ${kib(bytes)}`).join(', ')}, compressed; a file may be ${kib(budgets.file)}, also one that is loaded lazily: portal-module check names what is inside. Split it with import(), or take a smaller library.`,
        ]
      : []),
    ...(total > budgets.total
      ? [
          `All files are ${kib(total)}, compressed; a module may be ${kib(budgets.total)}: leave out what is not shown, or keep it on a server of yours.`,
        ]
      : []),
  ]
  return foundIn(
    faults,
    `The largest file is ${kib(sizes[0]?.bytes ?? 0)} of ${kib(budgets.file)}, all are ${kib(total)} of ${kib(budgets.total)}.`,
  )
}

/** Source maps by script. Sources are named without folders of the machine that built them. */
const SourceMaps = v.record(
  v.string(),
  v.strictObject({
    version: v.literal(3),
    sources: v.array(v.pipe(v.string(), v.regex(/^(?!\/|[A-Za-z]:|\.\.)/))),
    names: v.array(v.string()),
    mappings: v.string(),
  }),
)

function parsed(content: Uint8Array): unknown {
  try {
    return JSON.parse(textOf(content))
  } catch {
    return null
  }
}

/** The source maps, by which the portal names places of errors in the sources. */
export function mapsInOrder({ details, files }: Candidate): Finding {
  if (!details.maps) return fine('No source maps: errors name places in the build, not in the sources.')
  const { content } = files.get(mapsFile) ?? {}
  const size = kib(content?.length ?? 0)
  if (!content || content.length > budgets.maps)
    return fault(
      `The source maps are ${size}, and may be ${kib(budgets.maps)}: leave out a library that is not needed.`,
    )
  const found = v.safeParse(SourceMaps, parsed(content))
  return found.success
    ? fine(`Source maps of ${Object.keys(found.output).length} scripts, ${size}; browsers do not get them.`)
    : fault(
        `${mapsFile} has something else than source maps, or paths of a machine: build it with portal-module.`,
      )
}
