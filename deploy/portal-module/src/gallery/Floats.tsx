import { useLingui } from '@lingui/react/macro'
import { Blank, Skeleton } from '@portal/ui/Blank'
import { Button } from '@portal/ui/Button'
import { CancelButton, Dialog, Totals } from '@portal/ui/Dialog'
import { Menu } from '@portal/ui/Menu'
import { Money } from '@portal/ui/Money'
import { Flags, Notice } from '@portal/ui/Notice'
import { notify } from '@portal/ui/notify'
import { useState } from 'react'
import { Shelf, Specimen } from './Specimen.tsx'

/** Messages, empty states, and everything that floats above the page. */
export function Floats() {
  return (
    <>
      <Messages />
      <Blanks />
      <Openings />
    </>
  )
}

function Messages() {
  const { t } = useLingui()
  return (
    <Shelf title={t`Messages`}>
      <Specimen title={t`To know`} code="<Notice title={…}>…</Notice>">
        <Notice title={t`Four eyes.`}>{t`Somebody else approves this list.`}</Notice>
      </Specimen>
      <Specimen title={t`Done`} code='<Notice tone="good">…</Notice>'>
        <Notice tone="good">{t`The rows were saved.`}</Notice>
      </Specimen>
      <Specimen title={t`To look at`} code='<Notice tone="waiting">…</Notice>'>
        <Notice tone="waiting">{t`Some rows were left out.`}</Notice>
      </Specimen>
      <Specimen title={t`Failed, with the next step`} code='<Notice tone="bad" alert actions={…}>…</Notice>'>
        <Notice tone="bad" actions={<Button small icon="retry">{t`Try again`}</Button>}>
          {t`The list could not be loaded.`}
        </Notice>
      </Specimen>
      <Specimen title={t`Things to check`} code="<Flags flags={[{ key, tone, title, text, action }]} />">
        <Flags
          flags={[
            {
              key: 'shared',
              tone: 'waiting',
              title: t`8 shared numbers`,
              text: t`More than one recipient with the same number.`,
            },
            { key: 'left', tone: 'bad', title: t`3 rejected rows`, text: t`Left out at import, not paid.` },
          ]}
        />
      </Specimen>
      <Specimen title={t`A message that passes`} code="notify.success(…)">
        <Button onClick={() => notify.success(t`School updated`)}>{t`Show a message`}</Button>
        <Button onClick={() => notify.error(t`The connection was lost.`)}>{t`Show a failure`}</Button>
      </Specimen>
    </Shelf>
  )
}

function Blanks() {
  const { t } = useLingui()
  return (
    <Shelf title={t`Empty, failed, on its way`}>
      <Specimen title={t`Nothing there, and the next step`} code="<Blank title={…} actions={…} />">
        <Blank title={t`No data available`} actions={<Button>{t`Upload target list`}</Button>} />
      </Specimen>
      <Specimen title={t`Could not be read`} code="<Blank failed title={…} text={…} actions={…} />">
        <Blank
          failed
          title={t`The list could not be loaded.`}
          text={t`Nothing was changed.`}
          actions={<Button icon="retry">{t`Try again`}</Button>}
        />
      </Specimen>
      <Specimen title={t`Its place while it is read`} code='<Skeleton width="60%" />'>
        <Skeleton width="60%" />
        <Skeleton width="40%" />
      </Specimen>
    </Shelf>
  )
}

function Openings() {
  const { t } = useLingui()
  const [open, setOpen] = useState(false)
  return (
    <>
      <Shelf title={t`Dialogs and menus`}>
        <Specimen
          title={t`A dialog says the act in figures`}
          code="<Dialog title={…} footer={<><CancelButton />…</>} onClose={close}>…</Dialog>"
        >
          <Button data-opens="dialog" onClick={() => setOpen(true)}>{t`Approve Transfer List`}</Button>
        </Specimen>
        <Specimen
          title={t`A menu of acts`}
          code="<Menu trigger={<Button>…</Button>} items={[{ label, icon, onSelect }]} />"
        >
          <Menu
            trigger={<Button icon="more">{t`Actions`}</Button>}
            items={[
              { label: t`Edit`, icon: 'pencil' },
              { label: t`Delete`, icon: 'trash', danger: true, apart: true },
            ]}
          />
        </Specimen>
      </Shelf>
      {open && <Approval onClose={() => setOpen(false)} />}
    </>
  )
}

function Approval({ onClose }: { onClose: () => void }) {
  const { t } = useLingui()
  return (
    <Dialog
      title={t`Approve Transfer List`}
      description="Kayes, Kita, Nioro – 03/2026"
      onClose={onClose}
      footer={
        <>
          <CancelButton />
          <Button variant="primary" onClick={onClose}>{t`Approve 40 payments`}</Button>
        </>
      }
    >
      <Totals
        label={t`Amounts`}
        rows={[
          {
            key: 'expected',
            label: t`Expected amount`,
            value: <Money amount={424_000} />,
          },
          {
            key: 'sent',
            label: t`Sent amount`,
            value: <Money amount={432_480} />,
            sum: true,
          },
        ]}
      />
    </Dialog>
  )
}
