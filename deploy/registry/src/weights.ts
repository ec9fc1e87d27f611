import { mapsFile, preloadsFor } from '@portal/sdk/registry'
import { budgets, kib } from '@portal/sdk/weights'
import * as v from 'valibot'
import { type Candidate, type Finding, fault, fine } from './candidate.ts'

/** Bytes of a file over the wire. */
const sentOf = (files: Candidate['files'], path: string) =>
  (files.get(path)?.packed?.br ?? files.get(path)?.content)?.length ?? 0

/** What each page needs at the first visit, with the entry and every style sheet. */
export function pagesWithinBudget({ details, files }: Candidate): Finding {
  const sheets = [...files.keys()]
    .filter((path) => path.endsWith('.css'))
    .reduce((sum, path) => sum + sentOf(files, path), 0)
  const pages = Object.keys(details.preloads).filter((path) => path.startsWith('/'))
  if (!pages.length)
    return fault('build.json names no page: build it with portal-module, which lists what each page needs.')
  const weigh = (page: string, locale: string) =>
    [...new Set(preloadsFor(details, page, locale))]
      .filter((path) => !path.endsWith('.css'))
      .reduce((sum, path) => sum + sentOf(files, path), sheets)
  const sizes = pages.map((page) => ({ page, bytes: Math.max(weigh(page, 'en'), weigh(page, 'fr')) }))
  const most = sizes.reduce((a, b) => (b.bytes > a.bytes ? b : a))
  return most.bytes <= budgets.page
    ? fine(`The largest page (${most.page}) is ${kib(most.bytes)} of ${kib(budgets.page)}.`)
    : fault(
        `${most.page} is ${kib(most.bytes)}, a page may be ${kib(budgets.page)}: load what it does not need at first with import().`,
      )
}

/** Each file, also one that is loaded lazily, and all of them together. */
export function filesWithinBudget({ details, files }: Candidate): Finding {
  const sizes = Object.keys(details.files).map((path) => ({ path, bytes: sentOf(files, path) }))
  const most = sizes.reduce((a, b) => (b.bytes > a.bytes ? b : a), { path: '', bytes: 0 })
  const total = sizes.reduce((sum, { bytes }) => sum + bytes, 0)
  if (most.bytes > budgets.file)
    return fault(
      `${most.path} is ${kib(most.bytes)}, compressed; a file may be ${kib(budgets.file)}, also one that is loaded lazily: portal-module check names what is inside. Split it with import(), or take a smaller library.`,
    )
  return total <= budgets.total
    ? fine(
        `The largest file is ${kib(most.bytes)} of ${kib(budgets.file)}, all are ${kib(total)} of ${kib(budgets.total)}.`,
      )
    : fault(
        `All files are ${kib(total)}, compressed; a module may be ${kib(budgets.total)}: leave out what is not shown, or keep it on a server of yours.`,
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

function parsed(content: Buffer): unknown {
  try {
    return JSON.parse(content.toString())
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
