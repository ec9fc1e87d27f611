import type { Random } from '../random.ts'
import { oneOf } from './bytes.ts'
import { oddValues } from './values.ts'

const marks = /<(\/?)([\w:.-]+)([^<>]*?)(\/?)>/g

/** The tags of an XML text. */
const tagsOf = (xml: string) =>
  [...xml.matchAll(marks)].map((found) => ({
    at: found.index,
    text: found[0],
    name: found[2] ?? '',
    end: found[1] === '/',
  }))

/** A text as an XML file has it. */
export const forXml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
const splice = (text: string, from: number, to: number, by: string) =>
  text.slice(0, from) + by + text.slice(to)

/** An element that begins at this tag, to its end. */
function elementAt(xml: string, random: Random): [number, number] | null {
  const tags = tagsOf(xml)
  const n = random.between(0, Math.max(0, tags.length - 1))
  const tag = tags[n]
  if (!tag || tag.end) return null
  if (tag.text.endsWith('/>')) return [tag.at, tag.at + tag.text.length]
  let depth = 1
  for (const other of tags.slice(n + 1)) {
    if (other.name !== tag.name || other.text.endsWith('/>')) continue
    depth += other.end ? -1 : 1
    if (depth === 0) return [tag.at, other.at + other.text.length]
  }
  return null
}

/** What a bad program writes into an XML file. */
const slips: Record<string, (random: Random, xml: string) => string> = {
  'another value of an attribute': (random, xml) => {
    const found = oneOf(random, [...xml.matchAll(/="([^"<>]*)"/g)])
    if (!found) return xml
    return splice(xml, found.index, found.index + found[0].length, `="${forXml(oneOf(random, oddValues))}"`)
  },
  'another text': (random, xml) => {
    const found = oneOf(random, [...xml.matchAll(/>([^<>\s][^<>]*)</g)])
    if (!found) return xml
    return splice(xml, found.index, found.index + found[0].length, `>${forXml(oneOf(random, oddValues))}<`)
  },
  'an element left out': (random, xml) => {
    const at = elementAt(xml, random)
    return at ? splice(xml, at[0], at[1], '') : xml
  },
  'an element twice': (random, xml) => {
    const at = elementAt(xml, random)
    return at ? splice(xml, at[1], at[1], xml.slice(...at)) : xml
  },
  'an element elsewhere': (random, xml) => {
    const at = elementAt(xml, random)
    if (!at) return xml
    const without = splice(xml, at[0], at[1], '')
    const to = oneOf(random, tagsOf(without))?.at ?? 0
    return splice(without, to, to, xml.slice(...at))
  },
  'another name of a tag': (random, xml) => {
    const tag = oneOf(random, tagsOf(xml))
    if (!tag) return xml
    const name = oneOf(random, ['x', 'c', 'v', 'row', 'Amt', 'y:z', 'a:b:c', ''])
    return splice(xml, tag.at, tag.at + tag.text.length, tag.text.replace(tag.name, name))
  },
  'a tag left out': (random, xml) => {
    const tag = oneOf(random, tagsOf(xml))
    return tag ? splice(xml, tag.at, tag.at + tag.text.length, '') : xml
  },
  'an element in the middle of a text': (random, xml) => {
    const found = oneOf(random, [...xml.matchAll(/>[^<>\s]([^<>]+)</g)])
    if (!found) return xml
    const at = found.index + 2
    return splice(
      xml,
      at,
      at,
      oneOf(random, ['<x/>', '<!-- x -->', '<![CDATA[1]]>', '<?x y?>', '&#48;', '&amp;', '&x;', '<v>7</v>']),
    )
  },
  'many levels': (random, xml) => {
    const tag = oneOf(random, tagsOf(xml))
    const levels = oneOf(random, [5, 60, 5000])
    return tag ? splice(xml, tag.at, tag.at, `${'<n>'.repeat(levels)}${'</n>'.repeat(levels)}`) : xml
  },
  'another namespace': (random, xml) =>
    xml.replace(/xmlns(?::\w+)?="[^"]*"/, () => oneOf(random, ['', 'xmlns="urn:x"', 'xmlns:y="urn:y"'])),
  'a document type': (_, xml) => xml.replace(/(<\?xml[^>]*>)?/, '$1<!DOCTYPE a [<!ENTITY x "y">]>'),
}

const encodings: Record<string, (xml: string) => Buffer> = {
  'UTF-16': (xml) => Buffer.from(`\ufeff${xml}`, 'utf16le'),
  'a mark of UTF-8': (xml) => Buffer.from(`\ufeff${xml}`),
  'Latin-1': (xml) => Buffer.from(xml, 'latin1'),
  'a false declaration': (xml) =>
    Buffer.from(xml.replace(/<\?xml[^>]*>/, '<?xml version="1.0" encoding="EBCDIC-INT"?>')),
  'NUL between': (xml) => Buffer.from(xml.replaceAll('><', '>\0<')),
}

/** An XML file as a bad program writes it. */
export function slippedXml(random: Random, xml: string): { what: string; bytes: Buffer } {
  const what: string[] = []
  let now = xml
  for (let n = random.between(1, 3); n > 0; n--) {
    const name = oneOf(random, Object.keys(slips))
    now = slips[name]?.(random, now) ?? now
    what.push(name)
  }
  if (!random.chance(0.06)) return { what: what.join(', '), bytes: Buffer.from(now) }
  const name = oneOf(random, Object.keys(encodings))
  return { what: [...what, name].join(', '), bytes: encodings[name]?.(now) ?? Buffer.from(now) }
}
