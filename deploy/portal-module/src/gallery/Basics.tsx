import { useLingui } from '@lingui/react/macro'
import { Button, ButtonLink, IconButton } from '@portal/ui/Button'
import { Icon, iconNames } from '@portal/ui/Icon'
import { Count, DateText, Money, Nothing } from '@portal/ui/Money'
import { StatusPill, Tag, Tags } from '@portal/ui/StatusPill'
import { Shelf, Specimen } from './Specimen.tsx'

const colours = [
  ...['ink', 'muted', 'disabled', 'canvas', 'surface', 'sunken', 'raised', 'hover', 'line', 'line-strong'],
  ...['accent', 'accent-fill', 'accent-tint', 'warm', 'good', 'good-tint', 'bad', 'bad-tint', 'bad-fill'],
  ...['waiting', 'waiting-tint', 'waiting-mark', 'info', 'info-tint', 'neutral-tint'],
]
const types = ['text-12', 'text-13', 'text-14', 'text-16', 'title-16', 'text-20', 'text-24', 'text-28']
const noop = () => undefined

/** Colours, type, icons, buttons, states and figures. */
export function Basics() {
  const { t } = useLingui()
  return (
    <>
      <Shelf title={t`Colours and type`}>
        <Specimen title={t`Colours, by their role`} code="color: var(--muted); background: var(--surface)">
          {colours.map((name) => (
            <span key={name} className="colour" translate="no">
              <i style={{ background: `var(--${name})` }} />
              {name}
            </span>
          ))}
        </Specimen>
        <Specimen title={t`Sizes of type`} code="font: var(--text-14)">
          {types.map((name) => (
            <span key={name} style={{ font: `var(--${name})`, flex: '1 1 100%' }} translate="no">
              {name} · 15,012
            </span>
          ))}
        </Specimen>
        <Specimen title={t`Icons`} code='<Icon name="school" size={16} />'>
          {iconNames.map((name) => (
            <span key={name} title={name} translate="no">
              <Icon name={name} />
            </span>
          ))}
        </Specimen>
      </Shelf>
      <Shelf title={t`Buttons`}>
        <Specimen title={t`The one act of a page`} code='<Button variant="primary" icon="plus">…</Button>'>
          <Button variant="primary" icon="plus">{t`Add user`}</Button>
        </Specimen>
        <Specimen title={t`Beside it`} code="<Button>…</Button>">
          <Button>{t`Cancel`}</Button>
          <Button variant="plain">{t`Clear all`}</Button>
        </Specimen>
        <Specimen
          title={t`Takes something away; confirms it`}
          code='<Button variant="danger-fill">…</Button>'
        >
          <Button variant="danger">{t`Reject`}</Button>
          <Button variant="danger-fill">{t`Reject 40 payments`}</Button>
        </Specimen>
        <Specimen
          title={t`At work, and not to be pressed`}
          code="<Button busy>…</Button> <Button disabled>…</Button>"
        >
          <Button variant="primary" busy>{t`Save`}</Button>
          <Button disabled>{t`Save`}</Button>
        </Specimen>
        <Specimen title={t`Small, in rows and cards`} code='<Button small icon="upload">…</Button>'>
          <Button small icon="upload">{t`Upload`}</Button>
          <IconButton icon="download" label={t`Save the file`} onClick={noop} />
        </Specimen>
        <Specimen
          title={t`A link that looks like a button`}
          code='<ButtonLink href={…} icon="plus" renderLink={pageLink}>…</ButtonLink>'
        >
          <ButtonLink href="#new" icon="plus">{t`Add user`}</ButtonLink>
        </Specimen>
      </Shelf>
      <Shelf title={t`States, tags and figures`}>
        <Specimen title={t`A state, always with its word`} code='<StatusPill tone="good">…</StatusPill>'>
          <StatusPill tone="good">{t`Approved`}</StatusPill>
          <StatusPill tone="bad">{t`Not approved`}</StatusPill>
          <StatusPill tone="waiting">{t`Unknown outcome`}</StatusPill>
          <StatusPill tone="info">{t`Running`}</StatusPill>
          <StatusPill tone="neutral">{t`Pending`}</StatusPill>
        </Specimen>
        <Specimen
          title={t`Tags, with a way out where there is one`}
          code="<Tags><Tag remove={…}>…</Tag></Tags>"
        >
          <Tags>
            <Tag>CAP KITA</Tag>
            <Tag remove={{ label: t`Remove CAP KITA`, onRemove: noop }}>CAP KITA</Tag>
          </Tags>
        </Specimen>
        <Specimen
          title={t`Amounts, counts, dates`}
          code="<Money amount={424000} /> <Count value={15012} /> <DateText iso={iso} time />"
        >
          <Money amount={424_000} />
          <Count value={15_012} />
          <DateText iso="2026-03-16T06:02:00Z" time />
          <Nothing />
        </Specimen>
      </Shelf>
    </>
  )
}
