import { Trans, useLingui } from '@lingui/react/macro'
import { home } from '@portal/contracts/home'
import { type BuildPart, modules, type WaitingBuild } from '@portal/contracts/modules'
import { notifications } from '@portal/contracts/notifications'
import { currentLocale } from '@portal/i18n/locale'
import { ConfirmDialog } from '@portal/screens/ConfirmDialog'
import { useEndpointForm } from '@portal/screens/useEndpointForm'
import { type Fact, Sheet } from '@portal/ui/Figures'
import { DateText } from '@portal/ui/Money'
import { Notice } from '@portal/ui/Notice'
import { Tag } from '@portal/ui/StatusPill'
import { RunsField } from './RunsField.tsx'
import { titleOf } from './words.ts'

type Props = { waiting: WaitingBuild; isolates: boolean; onClose: () => void }

/** Shows who made a build and what it adds, and admits it. */
export function AdmitBuildDialog({ waiting, isolates, onClose }: Props) {
  const { t } = useLingui()
  const { name, version, build, live } = waiting
  const title = titleOf(waiting)
  const form = useEndpointForm(modules.admit, {
    params: { module: name },
    defaults: { build, trusted: false },
    refetches: [modules.waiting, home.waiting, notifications.list],
    onDone: onClose,
  })
  const trusted = form.fields.watch('trusted') ?? false
  return (
    <ConfirmDialog
      title={t`Admit ${title} ${version}`}
      description={`${name} · ${build.slice(0, 7)}`}
      form={form}
      onClose={onClose}
      danger={trusted}
      confirmLabel={trusted ? t`Admit version ${version} as trusted` : t`Admit version ${version}`}
    >
      <p>
        <Trans>Admit it only if you know this team and expect this version.</Trans>
      </p>
      <RunsField
        trusted={trusted}
        isolates={isolates}
        onChange={(value) => form.fields.setValue('trusted', value, { shouldDirty: false })}
      />
      {live?.newer && (
        <Notice tone="bad">
          <Trans>
            Version {version} is older than version {live.version}, which is live. Ask its team why it goes
            back.
          </Trans>
        </Notice>
      )}
      <Sheet facts={[...useMaker(waiting), ...useParts(waiting)]} />
      <p>
        <Trans>Nothing goes live by this. Its team can make this version live from now on.</Trans>
      </p>
    </ConfirmDialog>
  )
}

function useMaker({ owner, person, key, published_at, admitted, files }: WaitingBuild): Fact[] {
  const { t } = useLingui()
  return [
    { key: 'team', label: t`Team`, value: owner.name, note: owner.contact },
    {
      key: 'person',
      label: t`Published by`,
      value: person,
      note: (
        <>
          {t`Key ${key}`}, <DateText iso={published_at} time />
        </>
      ),
    },
    {
      key: 'admitted',
      label: t`Compared with`,
      value: admitted ? t`Version ${admitted.version}` : t`Nothing`,
      note: admitted ? t`The last version that was admitted` : t`No version of it was admitted before`,
    },
    { key: 'files', label: t`New files`, value: t`${files.new} of ${files.total}` },
  ]
}

/** What the build adds, by kind. */
function useParts({ parts }: WaitingBuild): Fact[] {
  const { t } = useLingui()
  const labels: [BuildPart['kind'], string][] = [
    ['route', t`Addresses`],
    ['permission', t`Its permissions`],
    ['needs', t`Permissions of the portal`],
    ['collection', t`Records it keeps`],
    ['backend', t`Servers that the portal calls for it`],
    ['images', t`Hosts of images, which see what it asks of them`],
    ['card', t`Cards on the home page`],
    ['extension', t`On the portal’s own pages and in the bell`],
    ['event', t`What it tells other modules, and what it hears of them`],
    ['call', t`Calls of the portal that it makes`],
  ]
  return labels
    .map(([kind, label]) => ({ kind, label, found: parts.filter((part) => part.kind === kind) }))
    .filter(({ found }) => found.length > 0)
    .map(({ kind, label, found }) => ({ key: kind, label, value: <Parts parts={found} /> }))
}

function Parts({ parts }: Pick<WaitingBuild, 'parts'>) {
  const { t } = useLingui()
  const locale = currentLocale()
  return (
    <ul className="parts">
      {parts.map(({ value, words, change }) => (
        <li key={value}>
          {words ? <span>{words[locale]}</span> : <span className="mono">{value}</span>}
          {change === 'new' && <Tag>{t`new`}</Tag>}
          {change === 'gone' && <Tag>{t`no longer there`}</Tag>}
        </li>
      ))}
    </ul>
  )
}
