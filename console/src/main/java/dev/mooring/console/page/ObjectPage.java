package dev.mooring.console.page;

import dev.mooring.console.html.Html;
import dev.mooring.console.view.ConsoleSection;
import dev.mooring.explain.Explanation;
import dev.mooring.explain.Measure;
import dev.mooring.explain.Subject;
import dev.mooring.model.ObjectKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Page of one object: reason, next step, evidence and related objects.
 *
 * @param created creation time in seconds since the epoch
 * @param explanations at least one, the most urgent first; some may be about related objects
 */
public record ObjectPage(
    ConsoleSection section,
    ObjectKey key,
    long created,
    List<Explanation> explanations,
    RelatedObjects related,
    Instant now)
    implements Page {

  public record RelatedObjects(
      Map<ConsoleSection, List<ObjectKey>> objects,
      Function<Explanation, Map<String, Object>> tree) {}

  @Override
  public String title() {
    return section.one() + " " + key.name();
  }

  @Override
  public String json() {
    return section.json(key);
  }

  @Override
  public String entry() {
    return section.address();
  }

  @Override
  public Html body() {
    List<Html> parts = new ArrayList<>();
    parts.add(where());
    Subject self = new Subject(section.kind(), key);
    for (Explanation e : explanations) {
      parts.add(explained(e, self));
    }
    parts.add(RelationDiagram.of(related.objects(), self));
    for (Explanation e : explanations) {
      parts.addAll(EvidenceParts.of(e, now));
    }
    return Html.of("div").with("id", "object").with("data-live", "").add(parts);
  }

  private Html where() {
    List<Measure> facts = new ArrayList<>();
    if (!key.namespace().isEmpty()) {
      facts.add(new Measure("", "Namespace", key.namespace()));
    }
    return OverviewPage.facts(facts)
        .with("class", "facts line")
        .add(
            Html.of("div").add(Html.of("dt").add("Kind"), Html.of("dd").add(section.kind().kind())),
            Html.of("div")
                .add(Html.of("dt").add("Age"), Html.of("dd").add(AgeElement.since(created, now))));
  }

  private Html explained(Explanation e, Subject self) {
    List<Html> parts = new ArrayList<>();
    boolean own = e.subject().equals(self);
    parts.add(
        Html.of("h2")
            .add(
                own ? Html.NOTHING : PageElements.link(e.subject()),
                Html.text(own ? "" : " "),
                Html.of("span", "state").add(e.state()),
                Html.text(" "),
                PageElements.reason(e)));
    parts.add(Html.of("p", "meaning").add(e.cause().meaning()));
    if (!e.note().isEmpty() && !e.note().equals(e.cause().meaning())) {
      parts.add(Html.of("p", "note").add(e.note()));
    }
    List<Html> facts = new ArrayList<>();
    if (e.since() > 0) {
      facts.add(fact("Waiting for", AgeElement.since(e.since(), now)));
    }
    facts.add(fact("Next", Html.text(e.next().sentence())));
    if (e.waits() && !e.cause().remedy().isEmpty() && !e.cause().remedy().equals(e.next().text())) {
      facts.add(fact("Remedy", Html.text(e.cause().remedy())));
    }
    e.evidence().errors().forEach(error -> facts.add(fact("Error", Html.text(error))));
    e.unseen()
        .forEach(u ->
            facts.add(
                fact(
                    "Unseen",
                    Html.text(
                        u.kind().plural() + " (unknown: " + u.leavesOpen() + "): " + u.why()))));
    parts.add(Html.of("dl", "facts").add(facts));
    return Html.of("section", "panel answer " + e.cause().rank().token()).add(parts);
  }

  private static Html fact(String name, Html value) {
    return Html.of("div").add(Html.of("dt").add(name), Html.of("dd").add(value));
  }

  @Override
  public Map<String, Object> tree() {
    Map<String, Object> objects = new LinkedHashMap<>();
    related
        .objects()
        .forEach(
            (of, keys) -> objects.put(of.path(), keys.stream().map(ObjectKey::toString).toList()));
    return JsonTrees.map(
        "apiVersion",
        JsonTrees.VERSION,
        "kind",
        "ExplanationList",
        "waiting",
        explanations.stream().filter(Explanation::waits).count(),
        "items",
        explanations.stream().map(related.tree()).toList(),
        "related",
        objects);
  }
}
