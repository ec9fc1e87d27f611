// The reference: the declarations of what modules use, as the compiler writes them from the sources.
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { emit, sourcesOf } from '../../../deploy/portal-module/packing/emit.ts'
import { root } from '../paths.mjs'

/** @typedef {import('./pages.mjs').SitePage} SitePage */

const section = 'Reference'
const fence = '```'

/** @param {string} title @param {string} path @param {string} text @returns {SitePage} */
const page = (title, path, text) => ({
  ...{ section, title, source: `docs/reference/${path}.md`, path: `reference/${path}.html` },
  text: `# ${title}\n\n${text}`,
})

/** Contract and calls, from the report that is checked in. @returns {SitePage[]} */
function contractPages() {
  const report = readFileSync(join(root, 'shared/sdk/api-report.md'), 'utf8')
  return report
    .split(/^(?=## )/m)
    .slice(1)
    .map((part) => {
      const [, name = ''] = /^## (\S+)/.exec(part) ?? []
      return page(name, name.replace('@', '').replaceAll('/', '-'), part.replace(/^## .*\n+/, ''))
    })
}

/**
 * The exported declarations of a package, one heading for each file; of those that are mostly the portal's, only the files that modules use.
 * @param {string} name @param {string} folder @param {string[]} [files] @returns {Promise<SitePage>}
 */
async function packagePage(name, folder, files) {
  const emitted = await emit(sourcesOf(folder), { emitDeclarationOnly: true })
  const parts = emitted
    .filter(({ path }) => path.startsWith(`${folder}/`) && !path.includes('/locales/'))
    .filter(({ path }) => !files || files.includes(basename(path, '.d.ts')))
    .map(({ path, content }) => {
      const text = String(content)
        .replace(/^import .*$\n/gm, '')
        .replace(/^export \{\};$\n?/gm, '')
        .replace(/\.jsx?'/g, "'")
      return `## ${name}/${basename(path, '.d.ts')}\n\n${fence}ts\n${text.trim()}\n${fence}\n`
    })
  return page(name, name.replace('@', '').replaceAll('/', '-'), parts.join('\n'))
}

/** @returns {Promise<SitePage[]>} */
export async function referencePages() {
  return [
    ...contractPages(),
    await packagePage('@portal/screens', 'shared/screens'),
    await packagePage('@portal/ui', 'shared/ui'),
    await packagePage('@portal/client', 'shared/client', ['query']),
    await packagePage('@portal/contracts', 'shared/contracts', ['fields', 'backends']),
    await packagePage('@portal/i18n', 'shared/i18n', ['format']),
  ]
}
