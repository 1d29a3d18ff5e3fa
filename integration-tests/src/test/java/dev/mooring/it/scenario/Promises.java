package dev.mooring.it.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.mooring.explain.Actor;
import dev.mooring.explain.Explanation;
import dev.mooring.it.Api;
import dev.mooring.it.AuditEvent;
import dev.mooring.model.Kind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What explanations said, before the controllers began, that these would do next; and whether they
 * did: they wrote that object, and what was told came of it.
 */
final class Promises {
  private static final String CONTROLLER = "mooring-test";
  private static final Set<String> READS = Set.of("get", "list", "watch");

  private final List<Explanation> told;
  private final String when;

  private Promises(List<Explanation> told, String when) {
    this.told = told;
    this.when = when;
  }

  /** Of what is told, what the volume controller does at once. */
  static Promises of(List<Explanation> told, Set<String> atOnce, String when) {
    return new Promises(
        told.stream()
            .filter(e -> e.next().by() == Actor.CONTROLLER && atOnce.contains(e.next().action()))
            .toList(),
        when);
  }

  /** How many there are. */
  int size() {
    return told.size();
  }

  /** They have had their time. */
  void areKept(Api api, Path log) throws Exception {
    Set<String> written = written(log);
    for (Explanation one : told) {
      if (!isContested(one)) {
        assertThat(written)
            .as("%s: %s %s", when, one.subject(), one.next())
            .containsAnyElementsOf(objects(one));
        outcome(api, one);
      }
    }
  }

  /**
   * What is written if it is done: of a pair that is bound, the side that lacks something; what
   * asks a driver, or what a node is told.
   */
  private static List<String> objects(Explanation one) {
    if (Set.of("attach", "detach").contains(one.next().action())) {
      return List.of(Kind.ATTACHMENT.plural(), Kind.NODE.plural());
    }
    String own = nameOf(one.subject().kind(), one.subject().key().name());
    if (!one.next().action().equals("bind")) {
      return List.of(own);
    }
    String target = one.next().target();
    return List.of(
        own,
        one.subject().kind().equals(Kind.CLAIM)
            ? nameOf(Kind.VOLUME, target)
            : nameOf(Kind.CLAIM, target.substring(target.indexOf('/') + 1)));
  }

  /** Two claims may be told of one volume: one of them will be quicker. */
  private boolean isContested(Explanation one) {
    return told.stream()
            .filter(other ->
                other.subject().kind().equals(one.subject().kind())
                    && other.next().action().equals("bind")
                    && other.next().target().equals(one.next().target()))
            .count()
        > 1;
  }

  private void outcome(Api api, Explanation one) throws Exception {
    JsonObject now;
    try {
      now =
          api.get(
              one.subject().kind().kind(),
              one.subject().key().namespace(),
              one.subject().key().name());
    } catch (Api.Refused gone) {
      return;
    }
    String target = one.next().target();
    String is =
        switch (one.next().action()) {
          case "bind" ->
              one.subject().kind().equals(Kind.CLAIM)
                  ? text(now, "spec", "volumeName")
                  : text(now, "spec", "claimRef", "namespace")
                      + "/"
                      + text(now, "spec", "claimRef", "name");
          case "set-class" -> text(now, "spec", "storageClassName");
          case "hand-over" ->
              text(now, "metadata", "annotations", "volume.kubernetes.io/storage-provisioner");
          case "mark-lost" -> text(now, "status", "phase").equals("Lost") ? target : "not Lost";
          default -> target; // it may have gone on from there
        };
    assertThat(is).as("%s: %s %s", when, one.subject(), one.next()).isEqualTo(target);
  }

  private static String text(JsonObject object, String... path) {
    JsonElement at = object;
    for (String member : path) {
      if (at == null || !at.isJsonObject()) {
        return "";
      }
      at = at.getAsJsonObject().get(member);
    }
    return at == null || at.isJsonNull() ? "" : at.getAsString();
  }

  private static String nameOf(Kind<?> kind, String name) {
    return kind.plural() + "/" + name;
  }

  /**
   * The objects that the controllers wrote, as {@code plural/name}; of what has no name that could
   * be known before, that one was written.
   */
  private static Set<String> written(Path log) throws IOException {
    Set<String> written = new HashSet<>();
    for (AuditEvent event : AuditEvent.read(log)) {
      if (event.userAgent().startsWith(CONTROLLER) && !READS.contains(event.verb())) {
        List<String> path = List.of(event.path().split("/"));
        for (Kind<?> kind : List.of(Kind.ATTACHMENT, Kind.NODE)) {
          if (path.contains(kind.plural())) {
            written.add(kind.plural());
          }
        }
        for (String plural : List.of(Kind.CLAIM.plural(), Kind.VOLUME.plural())) {
          int at = path.indexOf(plural);
          if (at >= 0 && at + 1 < path.size()) {
            written.add(plural + "/" + path.get(at + 1));
          }
        }
      }
    }
    return written;
  }
}
