import { faultOfStyles } from '../own-styles.ts'
import { faultOfWords } from '../own-words.ts'
import { type Candidate, type Finding, fault, fine, foundIn, some, textOf } from './candidate.ts'
import { faultOfFiles } from './file-names.ts'

/** Whether its words are there in English and French. */
export function wordsAreComplete({ details: { words, remote } }: Candidate): Finding {
  if (remote) return fine('Built without the portal: its words are its own.')
  const wrong = faultOfWords(words)
  return wrong ? fault(wrong) : fine(`${words.en.length + words.same} messages in English and French.`)
}

/** Whether its style sheets leave the rest of the page alone. */
export function stylesStayInside({ details: { name }, files }: Candidate): Finding {
  const sheets = [...files].filter(([path]) => path.endsWith('.css'))
  const faults = sheets.flatMap(([path, { content }]) => faultOfStyles(path, textOf(content), name) ?? [])
  return foundIn(faults, sheets.length ? `Every rule is below .${name}.` : 'No style sheet.')
}

/** Whether the portal takes and serves each of its files. */
export function filesAreServed({ details }: Candidate): Finding {
  const odd = Object.keys(details.files).filter(
    (path) => !/\.(js|css|json|svg|png|jpg|webp|woff2|wasm|txt)$/.test(path),
  )
  const wrong = faultOfFiles(details)
  const faults = [
    ...(wrong ? [wrong] : []),
    ...(odd.length
      ? [`${some(odd)}: not a kind of file that the portal serves. Leave it out of the build.`]
      : []),
    ...(details.files[details.entry]
      ? []
      : [`${details.entry}, the entry, is not among the files: build again.`]),
  ]
  return foundIn(faults, `${Object.keys(details.files).length} files.`)
}

/** Whether nothing of another module is inside. */
export function sourcesAreItsOwn({ details: { name, sources } }: Candidate): Finding {
  if (!sources.length) return fault('build.json does not say what is inside: build it with portal-module.')
  const foreign = sources.filter((source) => source !== name && /(^|\/)mfe-/.test(source))
  return foreign.length
    ? fault(
        `Something of ${some(foreign)} is inside: modules share only what @portal packages offer. Remove that import.`,
      )
    : fine('Nothing of another module is inside.')
}

/** Whether the publisher's conformance tests passed. `module` is the first of them. */
export function conformanceWasTested({ checks }: Candidate): Finding {
  const failed = checks.find(({ ok }) => !ok)
  if (failed) return fault(`The conformance tests failed at ${failed.gate}: ${failed.text}`)
  return checks.some(({ gate }) => gate === 'conformance' || gate === 'module')
    ? fine(`The publisher's conformance tests passed (${checks.length}).`)
    : fault('The conformance tests were not run: portal-module publish runs them before it sends anything.')
}
