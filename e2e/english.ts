import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Page } from '@playwright/test'
import { sentences } from '@portal/contracts/sentences'
import { catalogue } from './words.ts'

const root = resolve(import.meta.dirname, '..')

/** Words that no French sentence has. */
const markers =
  /\b(the|of|and|with|is|are|not|yet|has|have|was|were|this|that|your|you|from|by|to|for|been|who|which|what|when|will|can)\b/i

/** Names and formats that are the same for everybody, though they look English; the choice of a language names it in itself. */
const proper = /^(English$|Mozilla\/|https?:|POST |Authorization|\{ "protocol")|Sahel Mobile Money/

type Pair = { en: string; fr: string }

/** What the servers say, read as text: the browser tests import none of their source. */
function serverTexts(): Pair[] {
  const string = `('(?:[^'\\\\\\n]|\\\\.)*'|"(?:[^"\\\\\\n]|\\\\.)*"|\`[^\`]*\`)`
  const pair = new RegExp(`en:\\s*${string},\\s*fr:\\s*${string}`, 'g')
  return globSync(['api/src/**/*.ts', 'shared/contracts/src/**/*.ts'], { cwd: root })
    .flatMap((file) => [...readFileSync(resolve(root, file), 'utf8').matchAll(pair)])
    .map(([, en = '', fr = '']) => ({ en: en.slice(1, -1), fr: fr.slice(1, -1) }))
}

const parts = /\$?\{[^{}]*\}|<\/?\d+\/?>|%\w/g
const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
const pattern = (text: string) => new RegExp(`^${text.split(parts).map(escaped).join('.+')}$`)
const isPlain = (text: string) => /[A-Za-z]{3}/.test(text.replace(parts, '')) && !/\{\w+, plural/.test(text)

let known: { english: RegExp[]; words: Set<string>; french: RegExp[] } | undefined

/** English that the product has said in French too; what is the same word in both languages says nothing. */
function texts() {
  if (known) return known
  const pairs: Pair[] = [
    ...[...catalogue()].map(([en, fr]) => ({ en, fr })),
    ...Object.values(sentences),
    ...serverTexts(),
  ]
  const french = new Set(pairs.map(({ fr }) => fr))
  const telling = pairs.map(({ en }) => en).filter((en) => isPlain(en) && !french.has(en))
  const open = telling.filter((en) => en.search(parts) >= 0)
  known = {
    words: new Set(telling),
    english: open.filter((en) => markers.test(en.replace(parts, ' '))).map(pattern),
    french: [...french].filter((fr) => fr.search(parts) >= 0).map(pattern),
  }
  return known
}

/** Everything a person reads or hears on the page. */
const shownOn = (page: Page) =>
  page.evaluate(() => {
    const found = new Set([document.title])
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (walker.nextNode()) {
      const holder = walker.currentNode.parentElement
      if (holder && !holder.closest('script,style,noscript,[translate=no],[lang]:not(html)'))
        found.add(walker.currentNode.nodeValue ?? '')
    }
    for (const element of document.querySelectorAll(
      '[aria-label],[title],[placeholder],[alt],[aria-description]',
    ))
      if (!element.closest('[translate=no]'))
        for (const name of ['aria-label', 'title', 'placeholder', 'alt', 'aria-description'])
          found.add(element.getAttribute(name) ?? '')
    return [...found].map((text) => text.replace(/\s+/g, ' ').trim()).filter(Boolean)
  })

/** Texts of people and places that the calls of this page have brought: data is shown as it was written. */
export function watchData(page: Page): () => Promise<string> {
  const data: string[] = []
  const reading = new Set<Promise<void>>()
  const collect = (value: unknown): void => {
    if (typeof value === 'string') data.push(value.replace(/\s+/g, ' '))
    else if (value && typeof value === 'object') for (const each of Object.values(value)) collect(each)
  }
  page.on('response', (response) => {
    if (!response.headers()['content-type']?.includes('application/json')) return
    const read: Promise<void> = response
      .json()
      .then(collect, () => undefined)
      .finally(() => reading.delete(read))
    reading.add(read)
  })
  return async () => {
    await Promise.all(reading)
    return data.join('\n')
  }
}

/** What is left in English on a page that should be in French. */
export async function englishOn(page: Page, data: () => Promise<string>): Promise<string[]> {
  const { words, english, french } = texts()
  const shown = await shownOn(page)
  const brought = await data()
  return shown.filter((text) => {
    if (proper.test(text)) return false
    if (words.has(text)) return true
    if (brought.includes(text)) return false
    if (english.some((each) => each.test(text)) && !french.some((each) => each.test(text))) return true
    return markers.test(text) && !quotesData(text, brought)
  })
}

/** A French frame around somebody's own words: "Plainte : The mother was not paid". */
const quotesData = (text: string, brought: string) =>
  brought.split('\n').some((value) => value.length > 3 && markers.test(value) && text.includes(value))
