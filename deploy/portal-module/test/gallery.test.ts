import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../../..')

const frame = 'the frame of the portal, which the shell alone draws'
const part = 'is drawn by another piece'
const plain = 'draws nothing, and needs no page'

/** What a gallery has no use for, each with its reason. */
const elsewhere: Record<string, string> = {
  'ui/Card CardHead': part,
  'ui/Combobox Combobox': part,
  'ui/DateBox DateBox': part,
  'ui/DateBox readDate': plain,
  'ui/DropdownMenu DropdownMenu': part,
  'ui/Figures sumHolds': plain,
  'ui/FilterPanel FilterPanel': part,
  'ui/NavSheet NavSheet': frame,
  'ui/NumberField readNumber': plain,
  'ui/Page Frame': frame,
  'ui/Pager pagerWindow': plain,
  'ui/Progress percentDone': plain,
  'ui/Scroll Scroll': part,
  'ui/Sidebar Brand': frame,
  'ui/Sidebar Mark': frame,
  'ui/Sidebar NavEntries': frame,
  'ui/Sidebar Sidebar': frame,
  'ui/TableHead PhoneHead': part,
  'ui/TableHead TableHead': part,
  'ui/TableRows Rows': part,
  'ui/TableRows Skeletons': part,
  'ui/TableRows TotalsRow': part,
  'ui/TopBar Avatar': frame,
  'ui/TopBar BellButton': frame,
  'ui/TopBar Crumbs': frame,
  'ui/TopBar LanguageSwitch': frame,
  'ui/TopBar PersonButton': frame,
  'ui/TopBar SearchButton': frame,
  'ui/TopBar SkipLink': frame,
  'ui/TopBar TopBar': frame,
  'ui/link follow': plain,
  'ui/link isPlainClick': plain,
  'ui/link plainLink': plain,
  'ui/usePhone usePhone': plain,
  'screens/ExportButton notifyNoFile': plain,
  'screens/ExportButton saveFile': plain,
  'screens/ListFilters ListFilters': part,
  'screens/ListTools ChosenBar': part,
  'screens/ListTools ColumnsButton': part,
  'screens/NotReadAgain NotReadAgain': part,
  'screens/ViewsButton ViewsButton': part,
  'screens/problemText firstProblemText': plain,
  'screens/useDownload useDownload': plain,
  'screens/useLanguageRefetch useLanguageRefetch':
    'acts when the language changes, and the gallery is drawn anew then',
  'screens/usePoll useInterval': 'is what usePoll and useList wait by',
  'screens/useRowDialog useRowDialog':
    'acts when the list behind a dialog is read again, and lists of the gallery are read once',
  'screens/useStoredNow useStoredNow': 'acts when a call was refused with 409, and no call of the gallery is',
  'screens/useStoredRow useStoredRow': 'acts when a call was refused with 409, and no call of the gallery is',
}

/** Every function and component that `@portal/ui` and `@portal/screens` export, as `ui/Button IconButton`. */
const pieces = ['ui', 'screens'].flatMap((name) => {
  const folder = join(root, 'shared', name, 'src')
  // What `exports` of their package.json offers: `./*` is `./src/*.tsx`.
  const files = readdirSync(folder).filter((file) => /^(?!test-)[^.]+\.tsx$/.test(file))
  return files.flatMap((file) => {
    const exported = readFileSync(join(folder, file), 'utf8').matchAll(/^export (?:function|const) (\w+)/gm)
    return [...new Set([...exported].map(([, piece]) => `${name}/${file.replace('.tsx', '')} ${piece}`))]
  })
})

/** What the gallery imports, and so draws or calls: an import that is not used is refused by the linter. */
const drawn = new Set(
  readdirSync(join(root, 'deploy/portal-module/src/gallery'))
    .filter((file) => file.endsWith('.tsx'))
    .flatMap((file) => {
      const text = readFileSync(join(root, 'deploy/portal-module/src/gallery', file), 'utf8')
      return [...text.matchAll(/import \{([^}]*)\} from '@portal\/(ui|screens)\/(\w+)'/g)].flatMap(
        ([, names = '', from, module]) =>
          names
            .split(',')
            .map((each) => each.trim())
            .filter((each) => each && !each.startsWith('type '))
            .map((each) => `${from}/${module} ${each}`),
      )
    }),
)

test('a developer finds every piece of the portal’s screens in the gallery', () => {
  expect(pieces.length).toBeGreaterThan(100)
  expect(pieces.filter((piece) => !drawn.has(piece) && !(piece in elsewhere))).toEqual([])
})

test('what the gallery leaves out is there, and not drawn all the same', () => {
  expect(Object.keys(elsewhere).filter((piece) => !pieces.includes(piece) || drawn.has(piece))).toEqual([])
})
