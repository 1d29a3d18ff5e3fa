package dev.mooring.console.page;

import dev.mooring.console.html.HtmlNode;
import dev.mooring.console.view.ConsoleSection;
import dev.mooring.explain.Explanation;
import dev.mooring.explain.NamedFact;
import dev.mooring.explain.SubjectRef;
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
    RelatedSection related,
    Instant now)
    implements ConsolePage {

  public record RelatedSection(
      Map<ConsoleSection, List<ObjectKey>> objects,
      Function<Explanation, Map<String, Object>> tree) {}

  @Override
  public String title() {
    return section.singular() + " " + key.name();
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
  public HtmlNode body() {
    List<HtmlNode> panels = new ArrayList<>();
    panels.add(locationFacts());
    SubjectRef self = new SubjectRef(section.kind(), key);
    for (Explanation e : explanations) {
      panels.add(explanationPanel(e, self));
    }
    panels.add(RelationDiagram.of(related.objects(), self));
    for (Explanation e : explanations) {
      panels.addAll(EvidenceParts.of(e, now));
    }
    return HtmlNode.of("div").with("id", "object").with("data-live", "").add(panels);
  }

  private HtmlNode locationFacts() {
    List<NamedFact> facts = new ArrayList<>();
    if (!key.namespace().isEmpty()) {
      facts.add(new NamedFact("", "Namespace", key.namespace()));
    }
    return OverviewPage.facts(facts)
        .with("class", "facts line")
        .add(
            PageElements.fact("Kind", HtmlNode.text(section.kind().kind())),
            PageElements.fact("Age", AgeElement.since(created, now)));
  }

  private HtmlNode explanationPanel(Explanation e, SubjectRef self) {
    List<HtmlNode> elements = new ArrayList<>();
    boolean isAboutSelf = e.subject().equals(self);
    elements.add(
        HtmlNode.of("h2")
            .add(
                isAboutSelf ? HtmlNode.NOTHING : PageElements.link(e.subject()),
                HtmlNode.text(isAboutSelf ? "" : " "),
                HtmlNode.of("span", "state").add(e.state()),
                HtmlNode.text(" "),
                PageElements.reason(e)));
    elements.add(HtmlNode.of("p", "meaning").add(e.cause().meaning()));
    if (!e.message().isEmpty() && !e.message().equals(e.cause().meaning())) {
      elements.add(HtmlNode.of("p", "note").add(e.message()));
    }
    elements.add(HtmlNode.of("dl", "facts").add(facts(e)));
    return HtmlNode.of("section", "panel answer " + e.cause().rank().token()).add(elements);
  }

  private List<HtmlNode> facts(Explanation e) {
    List<HtmlNode> facts = new ArrayList<>();
    if (e.stateSince() > 0) {
      facts.add(PageElements.fact("Waiting for", AgeElement.since(e.stateSince(), now)));
    }
    facts.add(PageElements.fact("Next", HtmlNode.text(e.nextStep().sentence())));
    if (e.isWaiting()
        && !e.cause().remedy().isEmpty()
        && !e.cause().remedy().equals(e.nextStep().text())) {
      facts.add(PageElements.fact("Remedy", HtmlNode.text(e.cause().remedy())));
    }
    e.evidence()
        .errors()
        .forEach(error -> facts.add(PageElements.fact("Error", HtmlNode.text(error))));
    e.unreadableKinds()
        .forEach(u ->
            facts.add(
                PageElements.fact(
                    "Unread",
                    HtmlNode.text(
                        u.kind().plural()
                            + " (unknown: "
                            + u.openQuestion()
                            + "): "
                            + u.error()))));
    return facts;
  }

  @Override
  public Map<String, Object> tree() {
    Map<String, Object> objects = new LinkedHashMap<>();
    related
        .objects()
        .forEach((relatedSection, keys) ->
            objects.put(relatedSection.path(), keys.stream().map(ObjectKey::toString).toList()));
    return JsonTrees.map(
        "apiVersion",
        JsonTrees.VERSION,
        "kind",
        "ExplanationList",
        "waiting",
        explanations.stream().filter(Explanation::isWaiting).count(),
        "items",
        explanations.stream().map(related.tree()).toList(),
        "related",
        objects);
  }
}
