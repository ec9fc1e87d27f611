import type { PortalRegistry } from '@portal/registry'
import { perBuild } from './per-build.ts'

/** Words with which browsers, React and the portal describe an error. */
const usual = new Set(
  `Abort Aborted Assignment Cannot Class Converting Error Expected Failed Illegal Import Importing
  Invalid JSON JavaScript Load Loading Maximum Minified Module NetworkError No Object Objects Permission
  Promise Property Quota React Reduce Rendered Script Syntax Target The This Too Unexpected a abort
  aborted accept access additional already an and any appear are argument arguments array as assign at
  attempting available be because been before bracket but by call called can cannot character child chunk
  circular class cloned closed code comma components condition connection const constant construct
  constructor context could date deferred defined delete descriptor destroyed dev different digit document
  does element else empty end ended environment error errors evaluating exceeded execute expected
  expression fetch fetching few fewer file find first for found frame from full function get given global
  handler has have helpful hex hook hooks https id identifier if image import in inaccessible index
  initial initialization initialize initialized insert inside instance instead into invalid invoked is
  iterable iterator key keys least length less lexical limit line literal load loaded loading log long
  lost made many match mean memory message method minified missing module more must name negative network
  never new no node noisy non not null number object of on one only open operation operator optional or
  out parameter parent parse parsing pattern permission position precision present previous primitive
  private promise properties property prototype provided radix range reached read reading recursion
  reference regular render rendered repeat required requires resource response return satisfy script set
  setting shared should silent single size slow source stack statement status step stopped strange strict
  string structure super support suspended symbol syntax than that the this thrown time timed timeout to
  token too transaction twice type undefined unexpected unknown unterminated up update use used valid
  value values variable versions visit waiting warnings was were when which while with without writable
  write yet you your`.split(/\s+/),
)

const word = /[\p{L}\p{M}\p{N}_$]+/gu
/** Versions, an error's number, a status of HTTP, and letters of minified code. */
const harmless =
  /[\^~]?\d+\.\d+\.\d+|#\d{1,3}\b|\b[45]\d\d\b|(?<![\p{L}\p{M}\p{N}_$])[a-z](?![\p{L}\p{M}\p{N}_$])/gu

/**
 * A message without what may name somebody: only words stay that stand in the module's own code, or that describe errors. What the
 * code was given when it ran, such as a name, an id or the text of an answer, becomes a dot in its place.
 */
function cleanMessage(message: string, code: ReadonlySet<string>): string {
  const spared = [...message.matchAll(harmless)].map(({ index, 0: { length } }) => [index, index + length])
  const isSpared = (at: number, end: number) => spared.some(([from = 0, to = 0]) => from <= at && end <= to)
  return message
    .replace(word, (each, at: number) =>
      isSpared(at, at + each.length) || usual.has(each) || (code.has(each) && !/^\d+$/.test(each))
        ? each
        : '…',
    )
    .replace(/…(?:[^\p{L}\p{N}]{0,4}…)+/gu, '…')
}

/** Cleans messages by the words of the build that they come from. */
export function openErrorWords(registry: PortalRegistry) {
  const wordsOf = perBuild(async (name, build): Promise<ReadonlySet<string>> => {
    const words = new Set<string>()
    for await (const text of registry.builds.texts(name, build))
      for (const [each] of unescaped(text).matchAll(word)) words.add(each)
    return words
  })

  return async (name: string, build: string, message: string): Promise<string> =>
    message && cleanMessage(message, await wordsOf(name, build).catch(() => new Set<string>()))
}
export type ErrorWords = ReturnType<typeof openErrorWords>

/** Bundlers may write letters with accents by their numbers. */
const unescaped = (text: string): string =>
  text.replace(/\\(?:u([0-9a-f]{4})|x([0-9a-f]{2}))/gi, (_, long?: string, short?: string) =>
    String.fromCharCode(Number.parseInt(long ?? short ?? '', 16)),
  )
