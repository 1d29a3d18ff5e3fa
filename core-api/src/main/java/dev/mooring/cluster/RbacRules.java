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

  public static RbacRules forPurpose(String purpose) {
    return NONE.andForPurpose(purpose);
  }

  /** Starts the rights for another purpose, in all namespaces. */
  public RbacRules andForPurpose(String newPurpose) {
    return new RbacRules(list, newPurpose, "");
  }

  public RbacRules inNamespace(String newNamespace) {
    return new RbacRules(list, purpose, newNamespace);
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

  public RbacRules mayRead(List<Kind<?>> kinds) {
    RbacRules rules = this;
    for (Kind<?> kind : kinds) {
      rules = rules.may(kind, Verb.GET);
    }
    return rules;
  }

  public RbacRules mayEmitEvents() {
    return andForPurpose("emitting events")
        .may(new Target("events.k8s.io", EVENTS, "", ""), Verb.CREATE, Verb.PATCH);
  }

  public RbacRules mayListEvents() {
    return may(new Target("", EVENTS, namespace, ""), Verb.LIST);
  }

  public RbacRules with(RbacRules otherRules) {
    return with(otherRules.list);
  }

  private RbacRules with(List<RbacRule> addedRules) {
    List<RbacRule> allRules = new ArrayList<>(list);
    allRules.addAll(addedRules);
    return new RbacRules(List.copyOf(allRules), purpose, namespace);
  }
}
