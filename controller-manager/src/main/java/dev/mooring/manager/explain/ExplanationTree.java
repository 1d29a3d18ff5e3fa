package dev.mooring.manager.explain;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import dev.mooring.explain.Candidate;
import dev.mooring.explain.Cause;
import dev.mooring.explain.Evidence;
import dev.mooring.explain.Explanation;
import dev.mooring.explain.ReportedEvent;
import dev.mooring.explain.UnreadableKind;
import dev.mooring.text.PlainText;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.Yaml;

/** Explanations as JSON and YAML. */
public final class ExplanationTree {
  public static final String VERSION = "mooring.dev/v1alpha1";

  private static final String ITEMS = "items";

  private static final Gson GSON =
      new GsonBuilder().setPrettyPrinting().disableHtmlEscaping().create();

  private ExplanationTree() {}

  public static String json(ExplainAnswer answer) {
    return json(answer, Integer.MAX_VALUE);
  }

  public static String json(ExplainAnswer answer, int evidence) {
    return GSON.toJson(PlainText.filterTree(tree(answer, evidence)));
  }

  public static String json(ExplainAnswer answer, WaitingText.Page page) {
    Map<String, Object> tree = tree(answer, Integer.MAX_VALUE);
    tree.put(ITEMS, page.of(answer.explanations()).stream().map(ExplanationTree::tree).toList());
    if (page.remaining(answer.explanations()) > 0) {
      tree.put("next", page.offset() + page.limit());
    }
    return GSON.toJson(PlainText.filterTree(tree));
  }

  public static String yaml(ExplainAnswer answer) {
    DumperOptions options = new DumperOptions();
    options.setDefaultFlowStyle(DumperOptions.FlowStyle.BLOCK);
    return new Yaml(options)
        .dump(PlainText.filterTree(tree(answer, Integer.MAX_VALUE)))
        .stripTrailing();
  }

  private static Map<String, Object> tree(ExplainAnswer answer, int limit) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("apiVersion", VERSION);
    tree.put("kind", "ExplanationList");
    tree.put("waiting", answer.explanations().stream().filter(Explanation::isWaiting).count());
    tree.put(ITEMS, answer.explanations().stream().map(e -> tree(e, limit)).toList());
    tree.put("unseen", unseen(answer.unseen()));
    return tree;
  }

  public static Map<String, Object> tree(Explanation e) {
    return tree(e, Integer.MAX_VALUE);
  }

  private static Map<String, Object> tree(Explanation e, int limit) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put(
        "subject",
        map(
            "apiVersion", e.subject().kind().apiVersion(),
            "kind", e.subject().kind().kind(),
            "namespace", e.subject().key().namespace(),
            "name", e.subject().key().name()));
    tree.put("state", e.state());
    if (e.stateSince() > 0) {
      tree.put("since", Instant.ofEpochSecond(e.stateSince()).toString());
    }
    tree.put("waits", e.isWaiting());
    tree.put("reason", tree(e.cause()));
    tree.put("note", e.message());
    tree.put(
        "next",
        map(
            "by", e.nextStep().actor().token(),
            "action", e.nextStep().action().token(),
            "target", e.nextStep().target(),
            "text", e.nextStep().text(),
            "when", e.nextStep().timing().token()));
    Map<String, Object> evidence = tree(e.evidence().limit(limit));
    Map<String, Object> leftOut = leftOut(e.evidence(), limit);
    if (!leftOut.isEmpty()) {
      evidence.put("leftOut", leftOut);
    }
    tree.put("evidence", evidence);
    tree.put("unseen", unseen(e.unreadableKinds()));
    return tree;
  }

  static Map<String, Object> tree(Cause cause) {
    return map(
        "code", cause.code(),
        "rank", cause.rank().token(),
        "meaning", cause.meaning(),
        "remedy", cause.remedy());
  }

  private static Map<String, Object> leftOut(Evidence evidence, int limit) {
    Map<String, Object> leftOut =
        map(
            "candidates", evidence.candidates().size() - limit,
            "holders", evidence.holders().size() - limit,
            "errors", evidence.errors().size() - limit,
            "measures", evidence.facts().size() - limit,
            "said", evidence.events().size() - limit);
    leftOut.values().removeIf(count -> (int) count <= 0);
    return leftOut;
  }

  private static List<Map<String, Object>> unseen(List<UnreadableKind> unseen) {
    return unseen.stream()
        .map(u -> map("kind", u.kind().kind(), "why", u.error(), "leavesOpen", u.openQuestion()))
        .toList();
  }

  private static Map<String, Object> tree(Evidence evidence) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("candidates", evidence.candidates().stream().map(ExplanationTree::tree).toList());
    tree.put(
        "holders",
        evidence.holders().stream()
            .map(h -> map("what", h.type(), "name", h.name(), "note", h.releaseCondition()))
            .toList());
    tree.put("errors", evidence.errors());
    tree.put(
        "measures",
        evidence.facts().stream()
            .map(m -> map("what", m.group(), "name", m.name(), "value", m.value()))
            .toList());
    tree.put("said", evidence.events().stream().map(ExplanationTree::tree).toList());
    if (!evidence.because().isEmpty()) {
      tree.put("because", evidence.because().stream().map(ExplanationTree::tree).toList());
    }
    return tree;
  }

  private static Map<String, Object> tree(ReportedEvent event) {
    return map(
        "reason", event.reason(),
        "note", event.note(),
        "warning", event.isWarning(),
        "when", event.lastSeen() > 0 ? Instant.ofEpochSecond(event.lastSeen()).toString() : "");
  }

  private static Map<String, Object> tree(Candidate candidate) {
    return map(
        "name",
        candidate.name(),
        "description",
        candidate.description(),
        "checks",
        candidate.checks().stream()
            .map(c -> map("name", c.name(), "passed", c.isPassed(), "note", c.message()))
            .toList());
  }

  private static Map<String, Object> map(Object... members) {
    Map<String, Object> map = new LinkedHashMap<>();
    for (int i = 0; i < members.length; i += 2) {
      map.put((String) members[i], members[i + 1]);
    }
    return map;
  }
}
