import { type NoticeKind, noticeKinds, noticeWords } from '@portal/contracts/notices'
import { fill, type Locale } from '@portal/contracts/sentences'
import { say } from './messages.ts'

/** A notice as a mail tells it: no name of a girl or recipient, no number of a telephone (Messages 4.6). */
export type Line = { kind: NoticeKind | `mfe-${string}`; text: string; link: string }

const footer = (publicUrl: string, locale: Locale) =>
  `-- \n${fill(say.footer, locale, `${publicUrl}/profile`)}\n`

/** The body of the mail about one notice. */
export const noticeLetter = (line: Pick<Line, 'text' | 'link'>, publicUrl: string, locale: Locale): string =>
  `${line.text}\n${publicUrl}${line.link}\n\n${footer(publicUrl, locale)}`

/** The day's mail: its subject has the number of lines, and its body the lines under the words of their kind. */
export function digestLetter(lines: readonly Line[], publicUrl: string, locale: Locale) {
  const group = (heading: string, own: readonly Line[]) => {
    if (own.length === 0) return []
    const items = own.map(({ text, link }) => `- ${text}\n  ${publicUrl}${link}`)
    return [`${heading} (${own.length})\n${items.join('\n')}`]
  }
  const groups = noticeKinds.flatMap((kind) =>
    group(
      noticeWords[kind][locale],
      lines.filter((line) => line.kind === kind),
    ),
  )
  // Each of these lines begins with the title of its module.
  const ofModules = lines.filter(({ kind }) => kind.startsWith('mfe-'))
  return {
    subject: fill(say.digestSubject, locale, lines.length),
    body: [
      fill(say.digestOpening, locale),
      ...groups,
      ...group(say.ofModules[locale], ofModules),
      footer(publicUrl, locale),
    ].join('\n\n'),
  }
}
