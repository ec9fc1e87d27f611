import type { Locale, Text } from '@portal/contracts/sentences'
import {
  type DonorReport,
  type ReachedPart,
  type ReportFilters,
  smallCount,
} from '@portal/contracts/transfers/donor-report'
import { type DocumentColumn, type DocumentSheet, writeDocument } from '../../excel/document.ts'
import type { OutCell } from '../../excel/write.ts'
import { registerExport } from '../../kit/jobs/exports.ts'
import { countDonorReport } from './donor-report.service.ts'
import { effortOf } from './donor-report-sums.ts'

export const donorReportExport = 'donor-report'

const words = {
  figure: { en: 'Figure', fr: 'Chiffre' },
  count: { en: 'Number', fr: 'Nombre' },
  amount: { en: 'Amount (XOF)', fr: 'Montant (F CFA)' },
  share: { en: 'Percent', fr: 'Pour cent' },
  girls: { en: 'Girls reached', fr: 'Élèves touchées' },
  payments: { en: 'Payments', fr: 'Paiements' },
  disbursed: { en: 'Disbursed (XOF)', fr: 'Décaissé (F CFA)' },
  cap: { en: 'CAP', fr: 'CAP' },
  school: { en: 'School', fr: 'Établissement' },
  level: { en: 'Class level', fr: 'Niveau de classe' },
  none: { en: 'Not stated', fr: 'Non renseigné' },
  few: {
    en: `hidden (fewer than ${smallCount}, or next to it)`,
    fr: `masqué (moins de ${smallCount}, ou voisin)`,
  },
} satisfies Record<string, Text>

const figures = {
  period: { en: 'Period', fr: 'Période' },
  disbursed: { en: 'Disbursed', fr: 'Décaissé' },
  recipients: { en: 'Recipients', fr: 'Destinataires' },
  girls: words.girls,
  refused: { en: 'Refused', fr: 'Refusés' },
  rate: { en: 'Success rate', fr: 'Taux de réussite' },
  arrears: { en: 'Arrears at the end of the period', fr: 'Arriérés à la fin de la période' },
  owed: { en: 'Girls in arrears', fr: 'Élèves en arriéré' },
  stated: { en: 'Agency fees by signed statements', fr: 'Frais d’agence d’après les relevés signés' },
  tariff: {
    en: 'Agency fees by tariff, without a statement',
    fr: 'Frais d’agence d’après le tarif, sans relevé',
  },
  commission: { en: 'Commission of the programme', fr: 'Commission du programme' },
} satisfies Record<string, Text>

/** Registers the donor's report as a workbook of four sheets. */
export function registerDonorReportExport() {
  registerExport<ReportFilters>(donorReportExport, {
    allowed: (actor) => actor.can('payrolls.export'),
    subject: (filters) => ({ type: 'donor report', id: null, filters }),
    write: async ({ db }, { params, locale, path, progress }) => {
      const { payments } = await effortOf(db, params)
      const report = await countDonorReport(db, locale, params, (done) => progress(done, payments))
      const sheets = sheetsOf(report, params, locale)
      await writeDocument(path, sheets)
      return {
        rows: report.places.length,
        columns: [words.girls, words.payments, words.disbursed],
      }
    },
  })
}

function sheetsOf(report: DonorReport, filters: ReportFilters, locale: Locale): DocumentSheet[] {
  const say = (text: Text) => text[locale]
  const guarded = (count: number | null) => count ?? say(words.few)
  const nameOf = ({ name }: ReachedPart) => name ?? say(words.none)
  const place = words[report.place]
  const line = (label: Text, count: OutCell = null, amount: OutCell = null, share: OutCell = null) => ({
    cells: [say(label), count, amount, share],
  })
  const parts = (heading: Text, of: readonly ReachedPart[]): DocumentSheet => ({
    name: say(heading),
    columns: [
      { header: say(heading), kind: 'text', width: 32 },
      { header: say(words.girls), kind: 'whole', width: 24 },
      { header: say(words.payments), kind: 'whole', width: 24 },
      { header: say(words.disbursed), kind: 'money', width: 24 },
    ],
    rows: of.map((part) => ({
      cells: [nameOf(part), guarded(part.girls), guarded(part.payments), guarded(part.amount)],
    })),
  })
  const { arrears, stated_fees, tariff_fees, success_rate } = report
  const summary: DocumentColumn[] = [
    { header: say(words.figure), kind: 'text', width: 48 },
    { header: say(words.count), kind: 'whole', width: 24 },
    { header: say(words.amount), kind: 'money', width: 24 },
    { header: say(words.share), kind: 'money' },
  ]
  return [
    {
      name: { en: 'Report', fr: 'Rapport' }[locale],
      columns: summary,
      rows: [
        line(figures.period, `${filters.from} – ${filters.to}`),
        line(figures.disbursed, report.payments, report.disbursed),
        line(figures.recipients, guarded(report.recipients)),
        line(figures.girls, guarded(report.girls)),
        line(figures.refused, report.refused),
        line(
          figures.rate,
          null,
          null,
          success_rate === null ? null : Math.round(success_rate * 10_000) / 100,
        ),
        line(figures.arrears, arrears.payments, arrears.amount),
        line(figures.owed, guarded(arrears.girls)),
        line(figures.stated, stated_fees.payments, stated_fees.amount),
        line(figures.tariff, tariff_fees.payments, tariff_fees.amount),
        line(figures.commission, report.payments, report.commission),
      ],
    },
    parts(place, report.places),
    parts(words.level, report.levels),
    {
      name: say(words.girls),
      columns: [
        { header: say(place), kind: 'text', width: 32 },
        ...report.levels.map(
          (level): DocumentColumn => ({ header: nameOf(level), kind: 'whole', width: 16 }),
        ),
      ],
      rows: report.places.map((part, at) => ({
        cells: [nameOf(part), ...(report.girls_by_place_and_level[at] ?? []).map(guarded)],
      })),
    },
  ]
}
