package dev.mooring.cluster;

import dev.mooring.cluster.Right.Target;
import dev.mooring.cluster.Right.Verb;
import dev.mooring.model.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Rights that a controller declares. Immutable: each method returns a copy with more rights, or
 * with another purpose or namespace for the rights that follow.
 *
 * @param list rights in the order of declaration
 * @param purpose purpose of the rights that follow
 * @param namespace namespace of the rights that follow; "" for all
 */
public record Rights(List<Right> list, String purpose, String namespace) {
  public static final Rights NONE = new Rights(List.of(), "", "");

  private static final String EVENTS = "events";

  public static Rights to(String purpose) {
    return NONE.andTo(purpose);
  }

  /** Starts the rights for another purpose, in all namespaces. */
  public Rights andTo(String other) {
    return new Rights(list, other, "");
  }

  public Rights in(String other) {
    return new Rights(list, purpose, other);
  }

  public Rights may(Kind<?> kind, Verb... verbs) {
    return may(new Target(kind.group(), kind.plural(), namespace, ""), verbs);
  }

  public Rights mayStatus(Kind<?> kind, Verb... verbs) {
    return may(new Target(kind.group(), kind.plural() + "/status", namespace, ""), verbs);
  }

  public Rights mayNamed(Kind<?> kind, String name, Verb... verbs) {
    return may(new Target(kind.group(), kind.plural(), namespace, name), verbs);
  }

  public Rights may(Target target, Verb... verbs) {
    return with(Stream.of(verbs).map(verb -> new Right(verb, target, purpose)).toList());
  }

  public Rights mayCache(Kind<?> kind) {
    return may(kind, Verb.LIST, Verb.WATCH);
  }

  public Rights mayTell() {
    return andTo("emitting events")
        .may(new Target("events.k8s.io", EVENTS, "", ""), Verb.CREATE, Verb.PATCH);
  }

  public Rights mayListEvents() {
    return may(new Target("", EVENTS, namespace, ""), Verb.LIST);
  }

  public Rights with(Rights others) {
    return with(others.list);
  }

  private Rights with(List<Right> more) {
    List<Right> all = new ArrayList<>(list);
    all.addAll(more);
    return new Rights(List.copyOf(all), purpose, namespace);
  }
}
