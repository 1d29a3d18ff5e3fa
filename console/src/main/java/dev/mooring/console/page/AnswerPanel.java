package dev.mooring.console.page;

import dev.mooring.console.html.HtmlNode;
import dev.mooring.console.html.HtmlNode.Element;
import dev.mooring.console.view.StorageServer;
import dev.mooring.explain.CauseSentence;
import dev.mooring.explain.Explanation;
import dev.mooring.explain.NamedFact;
import dev.mooring.explain.StepActor;
import dev.mooring.explain.SubjectRef;
import dev.mooring.model.Kind;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** One explanation: state, cause, chain of causes, next step and commands. Each fact once. */
final class AnswerPanel {
  private static final Pattern LOWER_CASE_WORD = Pattern.compile("[a-z]+[ ,;:]");

  private final Explanation explanation;
  private final ObjectPage.Assistance assistance;
  private final Instant now;

  AnswerPanel(Explanation explanation, ObjectPage.Assistance assistance, Instant now) {
    this.explanation = explanation;
    this.assistance = assistance;
    this.now = now;
  }

  HtmlNode html(SubjectRef self) {
    List<HtmlNode> elements = new ArrayList<>();
    elements.add(heading(explanation.subject().equals(self)));
    elements.add(HtmlNode.of("p", "meaning").add(capitalize(CauseSentence.of(explanation))));
    elements.add(chain(self));
    List<HtmlNode> facts = facts();
    if (!facts.isEmpty()) {
      elements.add(HtmlNode.of("dl", "facts").add(facts));
    }
    elements.add(commandList());
    return HtmlNode.of("section", "panel answer " + explanation.cause().rank().token())
        .add(elements);
  }

  // Keeps names such as "storageclass.storage.k8s.io".
  private static String capitalize(String sentence) {
    return LOWER_CASE_WORD.matcher(sentence).lookingAt()
        ? Character.toUpperCase(sentence.charAt(0)) + sentence.substring(1)
        : sentence;
  }

  private HtmlNode heading(boolean isAboutSelf) {
    List<HtmlNode> parts = new ArrayList<>();
    if (!isAboutSelf) {
      parts.add(HtmlNode.text(PageElements.kindName(explanation.subject()) + " "));
      parts.add(PageElements.link(explanation.subject()));
      parts.add(HtmlNode.text(": "));
    }
    parts.add(HtmlNode.of("span", "state").add(explanation.state()));
    if (explanation.stateSince() > 0) {
      parts.add(HtmlNode.text(" for "));
      parts.add(AgeElement.since(explanation.stateSince(), now));
    }
    if (!explanation.state().equals(explanation.cause().code())) {
      parts.add(HtmlNode.text(" "));
      parts.add(PageElements.reason(explanation));
    }
    return HtmlNode.of("h2").add(parts);
  }

  private HtmlNode chain(SubjectRef self) {
    List<HtmlNode> links = new ArrayList<>();
    for (Explanation link : explanation.evidence().because()) {
      links.add(
          HtmlNode.of("li")
              .add(
                  HtmlNode.of("span", "kind").add(PageElements.kindName(link.subject()) + " "),
                  PageElements.link(link.subject()),
                  HtmlNode.text(" "),
                  PageElements.reason(link),
                  HtmlNode.of("p").add(CauseSentence.ofLink(link))));
    }
    assistance
        .server()
        .apply(explanation.deepest())
        .filter(this::isInChain)
        .ifPresent(server -> links.add(serverLink(server)));
    boolean isAboutSelf = explanation.subject().equals(self);
    if (links.isEmpty() && isAboutSelf) {
      return HtmlNode.NOTHING;
    }
    if (!isAboutSelf) {
      links.addFirst(objectLink(explanation.subject(), PageElements.link(explanation.subject())));
    }
    links.addFirst(
        objectLink(self, HtmlNode.of("strong").add(PageElements.name(self.key().name()))));
    return HtmlNode.of("ol", "because").with("aria-label", "Chain of causes").add(links);
  }

  private static HtmlNode objectLink(SubjectRef subject, HtmlNode name) {
    return HtmlNode.of("li")
        .add(HtmlNode.of("span", "kind").add(PageElements.kindName(subject) + " "), name);
  }

  private boolean isInChain(StorageServer server) {
    return explanation.isWaiting()
        && (!server.isAvailable()
            || explanation.deepest().subject().kind().equals(Kind.STORAGE_CLASS));
  }

  private boolean isShownInChain(String error) {
    return explanation.isWaiting()
        && assistance
            .server()
            .apply(explanation.deepest())
            .flatMap(StorageServer::extension)
            .map(extension -> extension.health().detail())
            .filter(detail -> !detail.isEmpty() && error.contains(detail))
            .isPresent();
  }

  private static Element serverLink(StorageServer server) {
    Element item =
        HtmlNode.of("li")
            .add(
                HtmlNode.of("span", "kind").add(server.role() + " "),
                server.extension().isPresent()
                    ? HtmlNode.of("a")
                        .with("href", PluginsPage.ADDRESS)
                        .add(PageElements.name(server.name()))
                    : HtmlNode.of("strong").add(PageElements.name(server.name())));
    return server
        .extension()
        .filter(extension -> !extension.health().isWorking())
        .map(extension ->
            item.add(
                HtmlNode.text(" "),
                PluginsPage.state(extension.health()),
                HtmlNode.of("p").add(extension.health().detail())))
        .orElse(item);
  }

  private List<HtmlNode> facts() {
    List<HtmlNode> facts = new ArrayList<>();
    explanation.deepest().evidence().facts().stream()
        .filter(fact -> fact.group().equals(NamedFact.HINT))
        .forEach(fact -> add(facts, "Did you mean", fact.name() + " " + fact.value()));
    if (explanation.nextStep().actor() != StepActor.PERSON
        && explanation.nextStep().actor() != StepActor.NONE) {
      add(facts, "Next", explanation.nextStep().sentence());
    }
    Optional.of(CauseSentence.findRemedy(explanation))
        .filter(remedy -> explanation.isWaiting() && !remedy.isEmpty())
        .ifPresent(remedy -> add(facts, "To do", remedy));
    CauseSentence.listErrors(explanation).stream()
        .filter(error -> !isShownInChain(error))
        .forEach(error -> add(facts, "Error", error));
    explanation
        .unreadableKinds()
        .forEach(u ->
            add(
                facts,
                "Unread",
                u.kind().plural() + " (unknown: " + u.openQuestion() + "): " + u.error()));
    return facts;
  }

  private static void add(List<HtmlNode> facts, String name, String text) {
    facts.add(PageElements.fact(name, HtmlNode.text(text)));
  }

  private HtmlNode commandList() {
    List<String> commands = assistance.commands().apply(explanation);
    return commands.isEmpty()
        ? HtmlNode.NOTHING
        : HtmlNode.of("ul", "commands")
            .with("aria-label", "Commands")
            .add(
                commands.stream()
                    .map(command -> HtmlNode.of("li").add(HtmlNode.of("code").add(command)))
                    .toList());
  }
}
