package dev.mooring.cluster;

import dev.mooring.cluster.Right.Target;
import dev.mooring.cluster.Right.Verb;
import dev.mooring.model.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * What a controller declares that it reads and writes. Immutable: each method answers with the same
 * rights and some more, or with where the next ones count.
 *
 * @param list the rights, in the order in which they were declared
 * @param purpose what the next ones are for
 * @param namespace where the next ones count, "" for everywhere
 */
public record Rights(List<Right> list, String purpose, String namespace) {
  /** None. */
  public static final Rights NONE = new Rights(List.of(), "", "");

  private static final String EVENTS = "events";

  /** Those for that, from here on. */
  public static Rights to(String purpose) {
    return NONE.andTo(purpose);
  }

  /** The same; the next ones are for that, everywhere. */
  public Rights andTo(String other) {
    return new Rights(list, other, "");
  }

  /** The same; the next ones count in that namespace only. */
  public Rights in(String other) {
    return new Rights(list, purpose, other);
  }

  /** The same, and that with every object of the kind. */
  public Rights may(Kind<?> kind, Verb... verbs) {
    return may(new Target(kind.group(), kind.plural(), namespace, ""), verbs);
  }

  /** The same, and that with the status of every object of the kind. */
  public Rights mayStatus(Kind<?> kind, Verb... verbs) {
    return may(new Target(kind.group(), kind.plural() + "/status", namespace, ""), verbs);
  }

  /** The same, and that with the object of that name. */
  public Rights mayNamed(Kind<?> kind, String name, Verb... verbs) {
    return may(new Target(kind.group(), kind.plural(), namespace, name), verbs);
  }

  /** The same, and that with what there is no kind of here. */
  public Rights may(Target target, Verb... verbs) {
    return with(Stream.of(verbs).map(verb -> new Right(verb, target, purpose)).toList());
  }

  /** The same, and what it takes to keep a cache of that kind. */
  public Rights mayCache(Kind<?> kind) {
    return may(kind, Verb.LIST, Verb.WATCH);
  }

  /** The same, and telling events about objects in any namespace. */
  public Rights mayTell() {
    return andTo("telling events")
        .may(new Target("events.k8s.io", EVENTS, "", ""), Verb.CREATE, Verb.PATCH);
  }

  /** The same, and reading what others tell. */
  public Rights mayListEvents() {
    return may(new Target("", EVENTS, namespace, ""), Verb.LIST);
  }

  /** These and those. */
  public Rights with(Rights others) {
    return with(others.list);
  }

  private Rights with(List<Right> more) {
    List<Right> all = new ArrayList<>(list);
    all.addAll(more);
    return new Rights(List.copyOf(all), purpose, namespace);
  }
}
