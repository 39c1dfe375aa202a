/* ---- one metric against another ---- */

const scatter = { points: [], at: -1 };

function startScatter() {
  if (!byId("scatter-plot")) return;
  for (const id of ["scatter-x", "scatter-y"]) byId(id).append(...data.metrics.map((metric) => option(metric.key, metric.name)));
  const keys = [...headlines, ...parts].map((metric) => metric.key);
  const up = data.primary ?? keys[0];
  byId("scatter-y").value = up;
  byId("scatter-x").value = keys.includes("bleu") && up !== "bleu" ? "bleu" : keys.find((key) => key !== up);
  byId("scatter-system").append(option("all", "all systems"), ...data.systems.map((name, system) => option(system, name)));
  byId("scatter-system").value = segmentCount * systemCount > 3000 ? "0" : "all";
  byId("scatter-controls").addEventListener("input", drawScatter);
  byId("scatter-controls").addEventListener("submit", (event) => event.preventDefault());
  const plot = byId("scatter-plot");
  plot.addEventListener("pointermove", (event) => choosePoint(nearestPoint(event)));
  plot.addEventListener("click", (event) => openPoint(nearestPoint(event)));
  plot.addEventListener("keydown", onPlotKey);
  let width = 0;
  new ResizeObserver(([entry]) => {
    if (Math.abs(entry.contentRect.width - width) < 2) return;
    width = entry.contentRect.width;
    drawScatter();
  }).observe(plot.parentElement);
}

function collectPoints(x, y, systems) {
  const points = [];
  for (const system of systems)
    for (let segment = 0; segment < segmentCount; segment++) {
      const [across, up] = [score(x, system, segment), score(y, system, segment)];
      if (across != null && up != null) points.push({ across, up, segment, system });
    }
  return points.sort((a, b) => a.up - b.up || a.across - b.across || a.segment - b.segment || a.system - b.system);
}

function linear(values, start, end) {
  let [low, high] = values.reduce(([least, most], value) => [Math.min(least, value), Math.max(most, value)], [Infinity, -Infinity]);
  if (!(high > low)) [low, high] = [(Number.isFinite(low) ? low : 0) - 0.5, (Number.isFinite(low) ? low : 0) + 0.5];
  const room = (high - low) * 0.03;
  [low, high] = [low - room, high + room];
  const scale = (value) => start + ((value - low) / (high - low)) * (end - start);
  const magnitude = 10 ** Math.floor(Math.log10((high - low) / 5));
  const width = magnitude * [1, 2, 5, 10].find((factor) => magnitude * factor * 5.01 >= high - low);
  scale.ticks = [];
  for (let index = Math.ceil(low / width); index * width <= high; index++) scale.ticks.push(Number((index * width).toPrecision(12)));
  return scale;
}

function drawScatter() {
  const [x, y, chosen] = ["scatter-x", "scatter-y", "scatter-system"].map((id) => byId(id).value);
  const systems = chosen === "all" ? data.systems.map((_, system) => system) : [Number(chosen)];
  const plot = byId("scatter-plot");
  const width = Math.round(Math.min(Math.max(plot.parentElement.clientWidth, 280), 720));
  const height = Math.round(Math.min(width * 0.8, 480));
  const points = collectPoints(x, y, systems);
  const across = linear(points.map((point) => point.across), 44, width - 10);
  const up = linear(points.map((point) => point.up), height - 44, 10);
  points.forEach((point) => Object.assign(point, { left: across(point.across), top: up(point.up) }));
  Object.assign(scatter, { points, at: -1, x, y });
  for (const [name, value] of Object.entries({ viewBox: `0 0 ${width} ${height}`, width, height })) plot.setAttribute(name, value);
  plot.replaceChildren(...plotFrame(across, up, width, height), ...plotClouds(points, systems), draw("path", { id: "scatter-chosen", class: "chosen", d: "" }));
  byId("scatter-legend").replaceChildren(...systems.map((system) => make("li", {}, systemMark(system), ` ${data.systems[system]}`)));
  byId("scatter-facts").textContent = scatterFacts(points);
  byId("scatter-sentence").replaceChildren(make("p", { class: "note" }, "Point at a mark to read its sentence here."));
}

function plotFrame(across, up, width, height) {
  const tick = (value) => String(value).replace("-", "−");
  return [
    draw("path", { class: "grid", d: across.ticks.map((value) => `M${across(value)} 10V${height - 44}`).join("") + up.ticks.map((value) => `M44 ${up(value)}H${width - 10}`).join("") }),
    ...across.ticks.map((value) => draw("text", { class: "tick", x: across(value), y: height - 28, "text-anchor": "middle" }, tick(value))),
    ...up.ticks.map((value) => draw("text", { class: "tick", x: 38, y: up(value) + 4, "text-anchor": "end" }, tick(value))),
    draw("text", { class: "name", x: (width + 34) / 2, y: height - 8, "text-anchor": "middle" }, metricByKey.get(scatter.x).name),
    draw("text", { class: "name", transform: `translate(12 ${(height - 34) / 2}) rotate(-90)`, "text-anchor": "middle" }, metricByKey.get(scatter.y).name),
  ];
}

function plotClouds(points, systems) {
  const paths = new Map(systems.map((system) => [system, []]));
  for (const point of points) paths.get(point.system).push(`M${point.left.toFixed(1)} ${point.top.toFixed(1)}${markerPath(point.system)}`);
  return systems.map((system) => draw("path", { class: `cloud s${system % data.colours}`, d: paths.get(system).join("") }));
}

function scatterFacts(points) {
  const [x, y] = [metricByKey.get(scatter.x).name, metricByKey.get(scatter.y).name];
  if (points.length < 3) return `${plural(points.length, "mark")}: too few to say how ${x} and ${y} relate.`;
  const r = correlation(points.map((point) => point.across), points.map((point) => point.up));
  const relation = r === null ? "one of them never varies" : `Pearson's r between ${x} and ${y} is ${r.toFixed(2).replace("-", "−")}`;
  return `${plural(points.length, "mark")}; ${relation}.`;
}

function correlation(a, b) {
  const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [ma, mb] = [mean(a), mean(b)];
  let [ab, aa, bb] = [0, 0, 0];
  a.forEach((value, index) => {
    ab += (value - ma) * (b[index] - mb);
    aa += (value - ma) ** 2;
    bb += (b[index] - mb) ** 2;
  });
  return aa && bb ? ab / Math.sqrt(aa * bb) : null;
}

function nearestPoint(event) {
  const plot = byId("scatter-plot");
  const box = plot.getBoundingClientRect();
  const ratio = plot.viewBox.baseVal.width / box.width;
  const [left, top] = [(event.clientX - box.left) * ratio, (event.clientY - box.top) * ratio];
  let [nearest, least] = [-1, 18 ** 2];
  scatter.points.forEach((point, index) => {
    const distance = (point.left - left) ** 2 + (point.top - top) ** 2;
    if (distance < least) [nearest, least] = [index, distance];
  });
  return nearest;
}

function choosePoint(index) {
  if (index < 0 || index === scatter.at) return;
  scatter.at = index;
  const point = scatter.points[index];
  byId("scatter-chosen").setAttribute("d", `M${point.left} ${point.top}m-9 0a9 9 0 1 0 18 0a9 9 0 1 0-18 0z`);
  const values = `${metricByKey.get(scatter.x).name} ${show(point.across, scatter.x)}, ${metricByKey.get(scatter.y).name} ${show(point.up, scatter.y)}`;
  const link = make("a", { href: `#s=${point.segment + 1}` }, `Sentence ${point.segment + 1}`);
  byId("scatter-sentence").replaceChildren(
    make("p", {}, link, ", ", systemMark(point.system), ` ${data.systems[point.system]}: ${values}`),
    textBlock(data.outputs[point.system][point.segment], point.segment, { differences: hasSources }),
  );
}

function openPoint(index) {
  if (index < 0) return;
  choosePoint(index);
  goTo(scatter.points[index].segment);
}

function onPlotKey(event) {
  const last = scatter.points.length - 1;
  const moves = {
    ArrowRight: Math.min(scatter.at + 1, last), ArrowUp: Math.min(scatter.at + 1, last),
    ArrowLeft: Math.max(scatter.at - 1, 0), ArrowDown: Math.max(scatter.at - 1, 0), Home: 0, End: last,
  };
  if (event.key in moves) choosePoint(moves[event.key]);
  else if (event.key === "Enter") openPoint(scatter.at);
  else return;
  event.preventDefault();
}

enhanceScoreTables();
enhanceSignatures();
startScatter();
startBrowser();
