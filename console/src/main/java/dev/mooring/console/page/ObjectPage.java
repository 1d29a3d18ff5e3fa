package dev.mooring.console.page;

import dev.mooring.console.html.HtmlNode;
import dev.mooring.console.view.ConsoleSection;
import dev.mooring.console.view.DataDanger;
import dev.mooring.console.view.DatedFact;
import dev.mooring.console.view.StorageServer;
import dev.mooring.explain.Explanation;
import dev.mooring.explain.NamedFact;
import dev.mooring.explain.SubjectRef;
import dev.mooring.model.ObjectKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Page of one object: reason, next step, evidence and related objects.
 *
 * @param created creation time in seconds since the epoch
 * @param explanations at least one, the most urgent first; some may be about related objects
 * @param danger danger for the data of a claim, if it is known
 */
public record ObjectPage(
    ConsoleSection section,
    ObjectKey key,
    long created,
    List<Explanation> explanations,
    RelatedSection related,
    Optional<DataDanger> danger,
    Assistance assistance,
    Instant now)
    implements ConsolePage {

  /**
   * Related objects.
   *
   * @param datedFacts dated facts of these objects, the oldest first
   */
  public record RelatedSection(
      Map<ConsoleSection, List<ObjectKey>> objects, List<DatedFact> datedFacts) {
    public RelatedSection {
      datedFacts = List.copyOf(datedFacts);
    }
  }

  /**
   * What the host knows about an explanation.
   *
   * @param tree its JSON
   * @param commands commands to copy
   * @param server provisioner or driver of the explained object
   */
  public record Assistance(
      Function<Explanation, Map<String, Object>> tree,
      Function<Explanation, List<String>> commands,
      Function<Explanation, Optional<StorageServer>> server) {}

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
      panels.add(new AnswerPanel(e, assistance, now).html(self));
    }
    panels.add(RelationDiagram.of(related.objects(), self));
    for (Explanation e : explanations) {
      panels.addAll(EvidenceParts.of(e, !hasTimeline(), now));
    }
    if (hasTimeline()) {
      panels.add(TimelinePanel.of(related.datedFacts(), explanations, now));
    }
    return PageElements.live("object").add(panels);
  }

  private boolean hasTimeline() {
    return section == ConsoleSection.CLAIMS;
  }

  private HtmlNode locationFacts() {
    List<NamedFact> facts = new ArrayList<>();
    if (!key.namespace().isEmpty()) {
      facts.add(new NamedFact("", "Namespace", key.namespace()));
    }
    return PageElements.facts(facts)
        .with("class", "facts line")
        .add(
            PageElements.fact("Kind", HtmlNode.text(section.kind().kind())),
            PageElements.fact("Age", AgeElement.since(created, now)))
        .add(danger.map(ObjectPage::dangerFact).stream().toList());
  }

  private static HtmlNode dangerFact(DataDanger danger) {
    return PageElements.fact(
        "Danger",
        HtmlNode.text(
            danger.sequence().isEmpty()
                ? danger.acts()
                : danger.acts() + " (" + danger.sequence() + ")"));
  }

  @Override
  public Map<String, Object> tree() {
    Map<String, Object> objects = new LinkedHashMap<>();
    related
        .objects()
        .forEach((relatedSection, keys) ->
            objects.put(relatedSection.path(), keys.stream().map(ObjectKey::toString).toList()));
    return JsonTrees.document(
        "kind",
        "ExplanationList",
        "waiting",
        explanations.stream().filter(Explanation::isWaiting).count(),
        "items",
        explanations.stream().map(assistance.tree()).toList(),
        "related",
        objects,
        "danger",
        danger
            .<Map<String, Object>>map(
                found -> JsonTrees.map("acts", found.acts(), "sequence", found.sequence()))
            .orElse(Map.of()),
        "commands",
        explanations.stream()
            .flatMap(e -> assistance.commands().apply(e).stream())
            .distinct()
            .toList());
  }
}
