package dev.mooring.cluster;

import dev.mooring.cluster.RbacRule.Target;
import dev.mooring.cluster.RbacRule.Verb;
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
public record RbacRules(List<RbacRule> list, String purpose, String namespace) {
  public static final RbacRules NONE = new RbacRules(List.of(), "", "");

  private static final String EVENTS = "events";

  public static RbacRules to(String purpose) {
    return NONE.andTo(purpose);
  }

  /** Starts the rights for another purpose, in all namespaces. */
  public RbacRules andTo(String other) {
    return new RbacRules(list, other, "");
  }

  public RbacRules in(String other) {
    return new RbacRules(list, purpose, other);
  }

  public RbacRules may(Kind<?> kind, Verb... verbs) {
    return may(new Target(kind.group(), kind.plural(), namespace, ""), verbs);
  }

  public RbacRules mayStatus(Kind<?> kind, Verb... verbs) {
    return may(new Target(kind.group(), kind.plural() + "/status", namespace, ""), verbs);
  }

  public RbacRules mayNamed(Kind<?> kind, String name, Verb... verbs) {
    return may(new Target(kind.group(), kind.plural(), namespace, name), verbs);
  }

  public RbacRules may(Target target, Verb... verbs) {
    return with(Stream.of(verbs).map(verb -> new RbacRule(verb, target, purpose)).toList());
  }

  public RbacRules mayCache(Kind<?> kind) {
    return may(kind, Verb.LIST, Verb.WATCH);
  }

  public RbacRules mayTell() {
    return andTo("emitting events")
        .may(new Target("events.k8s.io", EVENTS, "", ""), Verb.CREATE, Verb.PATCH);
  }

  public RbacRules mayListEvents() {
    return may(new Target("", EVENTS, namespace, ""), Verb.LIST);
  }

  public RbacRules with(RbacRules others) {
    return with(others.list);
  }

  private RbacRules with(List<RbacRule> more) {
    List<RbacRule> all = new ArrayList<>(list);
    all.addAll(more);
    return new RbacRules(List.copyOf(all), purpose, namespace);
  }
}
