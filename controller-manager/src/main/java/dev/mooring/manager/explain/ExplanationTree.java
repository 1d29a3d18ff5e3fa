package dev.mooring.manager.explain;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import dev.mooring.explain.Candidate;
import dev.mooring.explain.Evidence;
import dev.mooring.explain.Explanation;
import dev.mooring.explain.Said;
import dev.mooring.explain.Unseen;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.Yaml;

/** Explanations as programs read them. */
public final class ExplanationTree {
  /** The format's version. */
  public static final String VERSION = "mooring.dev/v1alpha1";

  private static final Gson GSON =
      new GsonBuilder().setPrettyPrinting().disableHtmlEscaping().create();

  private ExplanationTree() {}

  /**
   * As JSON.
   *
   * @param unseen what could not be read of the cluster, and what that leaves open
   */
  public static String json(List<Explanation> explanations, List<Unseen> unseen) {
    return GSON.toJson(tree(explanations, unseen));
  }

  /**
   * As YAML: the same members.
   *
   * @param unseen what could not be read of the cluster, and what that leaves open
   */
  public static String yaml(List<Explanation> explanations, List<Unseen> unseen) {
    DumperOptions options = new DumperOptions();
    options.setDefaultFlowStyle(DumperOptions.FlowStyle.BLOCK);
    return new Yaml(options).dump(tree(explanations, unseen)).stripTrailing();
  }

  private static Map<String, Object> tree(List<Explanation> explanations, List<Unseen> unseen) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("apiVersion", VERSION);
    tree.put("kind", "ExplanationList");
    tree.put("waiting", explanations.stream().filter(Explanation::waits).count());
    tree.put("items", explanations.stream().map(ExplanationTree::tree).toList());
    tree.put("unseen", unseen(unseen));
    return tree;
  }

  /** One explanation, as a member of {@code items}. */
  public static Map<String, Object> tree(Explanation e) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put(
        "subject",
        map(
            "apiVersion", e.subject().kind().apiVersion(),
            "kind", e.subject().kind().kind(),
            "namespace", e.subject().key().namespace(),
            "name", e.subject().key().name()));
    tree.put("state", e.state());
    if (e.since() > 0) {
      tree.put("since", Instant.ofEpochSecond(e.since()).toString());
    }
    tree.put("waits", e.waits());
    tree.put(
        "reason",
        map(
            "code", e.cause().code(),
            "rank", e.cause().rank().token(),
            "meaning", e.cause().meaning(),
            "remedy", e.cause().remedy()));
    tree.put("note", e.note());
    tree.put(
        "next",
        map(
            "by", e.next().by().token(),
            "action", e.next().action(),
            "target", e.next().target(),
            "text", e.next().text()));
    tree.put("evidence", tree(e.evidence()));
    tree.put("unseen", unseen(e.unseen()));
    return tree;
  }

  private static List<Map<String, Object>> unseen(List<Unseen> unseen) {
    return unseen.stream()
        .map(u -> map("kind", u.kind().kind(), "why", u.why(), "leavesOpen", u.leavesOpen()))
        .toList();
  }

  private static Map<String, Object> tree(Evidence evidence) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("candidates", evidence.candidates().stream().map(ExplanationTree::tree).toList());
    tree.put(
        "holders",
        evidence.holders().stream()
            .map(h -> map("what", h.what(), "name", h.name(), "note", h.note()))
            .toList());
    tree.put("errors", evidence.errors());
    tree.put(
        "measures",
        evidence.measures().stream()
            .map(m -> map("what", m.what(), "name", m.name(), "value", m.value()))
            .toList());
    tree.put("said", evidence.said().stream().map(ExplanationTree::tree).toList());
    return tree;
  }

  private static Map<String, Object> tree(Said said) {
    return map(
        "reason",
        said.reason(),
        "note",
        said.note(),
        "warning",
        said.isWarning(),
        "when",
        said.when() > 0 ? Instant.ofEpochSecond(said.when()).toString() : "");
  }

  private static Map<String, Object> tree(Candidate candidate) {
    return map(
        "name",
        candidate.name(),
        "description",
        candidate.description(),
        "checks",
        candidate.checks().stream()
            .map(c -> map("name", c.name(), "passed", c.passed(), "note", c.note()))
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
