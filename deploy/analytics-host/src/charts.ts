/** Charts as static SVG. Their view box is 480 units wide, and they scale to the width of their card. */
type Bar = { label: string; value: number; shown: string }
type Chart = { title: string; bars: readonly Bar[] }

const safe = (text: string) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)
const open = ({ title, bars }: Chart, height: number) =>
  `<svg viewBox="0 0 480 ${height}" role="img" aria-label="${safe(
    `${title}: ${bars.map(({ label, shown }) => `${label} ${shown}`).join(', ')}`,
  )}">`

/** Horizontal bars, each with its name on the left and its value on the right. */
export function lyingBars(chart: Chart, full: number): string {
  const rows = chart.bars.map(({ label, value, shown }, at) => {
    const y = at * 58
    const width = (210 * value) / full
    return `<text x="0" y="${y + 34}">${safe(label)}</text><rect class="track" x="208" y="${y + 18}" width="210" height="22" rx="3"/><rect class="bar" x="208" y="${y + 18}" width="${width.toFixed(1)}" height="22" rx="3"/><text class="value" x="480" y="${y + 34}" text-anchor="end">${shown}</text>`
  })
  return `${open(chart, chart.bars.length * 58)}${rows.join('')}</svg>`
}

/** Vertical bars, each with its value above and its name below. */
export function standingBars(chart: Chart, largest: number): string {
  const step = 480 / chart.bars.length
  const columns = chart.bars.map(({ label, value, shown }, at) => {
    const middle = step * (at + 0.5)
    const height = (92 * value) / largest
    return `<text class="value" x="${middle}" y="${112 - height}" text-anchor="middle">${shown}</text><rect class="bar" x="${(middle - step * 0.34).toFixed(1)}" y="${(120 - height).toFixed(1)}" width="${(step * 0.68).toFixed(1)}" height="${height.toFixed(1)}" rx="3"/><text x="${middle}" y="140" text-anchor="middle">${safe(label)}</text>`
  })
  return `${open(chart, 146)}<path class="line" d="M0 120.5H480"/>${columns.join('')}</svg>`
}

/** A line chart with a label at each value. */
export function course(chart: Chart, from: number, to: number): string {
  const step = 480 / chart.bars.length
  const points = chart.bars.map(({ value }, at) => [
    step * (at + 0.5),
    104 - (72 * (value - from)) / (to - from),
  ])
  const path = points.map(([x, y]) => `${x},${y?.toFixed(1)}`).join(' ')
  const marks = chart.bars.map(({ label, shown }, at) => {
    const [x = 0, y = 0] = points[at] ?? []
    return `<circle class="dot" cx="${x}" cy="${y.toFixed(1)}" r="5"/><text class="value" x="${x}" y="${(y - 14).toFixed(1)}" text-anchor="middle">${shown}</text><text x="${x}" y="140" text-anchor="middle">${safe(label)}</text>`
  })
  return `${open(chart, 146)}<path class="line" d="M0 120.5H480"/><polyline class="course" points="${path}"/>${marks.join('')}</svg>`
}
