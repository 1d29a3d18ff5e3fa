package dev.mooring.manager.rights;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import dev.mooring.cluster.RbacRule;
import dev.mooring.cluster.RbacRule.Target;
import dev.mooring.cluster.RbacRule.Verb;
import dev.mooring.cluster.RbacRules;
import dev.mooring.model.Kind;
import java.util.List;
import org.junit.jupiter.api.Test;

class RoleTest {
  private static List<RbacRole> roles(RbacRules rights) {
    return RbacRole.allowing(rights.list(), List.of("vault"));
  }

  @Test
  void allowing_duplicateRights_mergesRules() {
    assertThat(
            roles(
                RbacRules.forPurpose("a")
                    .may(Kind.VOLUME, Verb.PATCH)
                    .andForPurpose("b")
                    .may(Kind.VOLUME, Verb.GET, Verb.PATCH)
                    .may(Kind.CLAIM, Verb.PATCH, Verb.GET)))
        .containsExactly(
            new RbacRole(
                "",
                List.of(
                    new RbacRole.Rule(
                        "",
                        List.of("persistentvolumeclaims", "persistentvolumes"),
                        List.of(),
                        List.of(Verb.GET, Verb.PATCH)))));
  }

  @Test
  void allowing_namespacedRole_omitsClusterWideRights() {
    assertThat(
            roles(
                RbacRules.forPurpose("a")
                    .may(Kind.POD, Verb.GET)
                    .inNamespace("jobs")
                    .may(Kind.POD, Verb.GET, Verb.CREATE)
                    .may(Kind.CLAIM, Verb.GET)
                    .andForPurpose("b")
                    .may(Kind.CLAIM, Verb.GET)))
        .extracting(RbacRole::namespace, role -> RoleManifest.toRulesYaml(role))
        .containsExactly(
            tuple(
                "",
                "  - { apiGroups: [\"\"], resources: [persistentvolumeclaims, pods], verbs: [get] }\n"),
            tuple("jobs", "  - { apiGroups: [\"\"], resources: [pods], verbs: [create] }\n"));
  }

  @Test
  void allowing_rightWhereClassesDetermineNamespace_usesGivenNamespaces() {
    List<RbacRole> roles =
        roles(
            RbacRules.forPurpose("a")
                .inNamespace(Target.NAMESPACES_OF_CLASSES)
                .may(Kind.SECRET, Verb.GET));
    assertThat(roles).extracting(RbacRole::namespace).containsExactly("vault");
  }

  @Test
  void allowing_namedLease_isRestrictedByName() {
    List<RbacRole> roles =
        roles(
            RbacRules.forPurpose("a")
                .inNamespace("kube-system")
                .may(Kind.LEASE, Verb.CREATE)
                .mayNamed(Kind.LEASE, "m", Verb.GET, Verb.PATCH));
    assertThat(new RoleManifest("n", "a", "s").toYaml(roles))
        .isEqualTo(
            """
            apiVersion: v1
            kind: ServiceAccount
            metadata: { name: a, namespace: s }
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: Role
            metadata: { name: n, namespace: kube-system }
            rules:
              - { apiGroups: [coordination.k8s.io], resources: [leases], verbs: [create] }
              - { apiGroups: [coordination.k8s.io], resources: [leases], resourceNames: [m], verbs: [get, patch] }
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: RoleBinding
            metadata: { name: n, namespace: kube-system }
            roleRef: { apiGroup: rbac.authorization.k8s.io, kind: Role, name: n }
            subjects:
              - { kind: ServiceAccount, name: a, namespace: s }
            """);
  }

  @Test
  void right_toString_describesIt() {
    RbacRule right =
        RbacRules.forPurpose("a")
            .inNamespace("x")
            .mayNamed(Kind.LEASE, "m", Verb.GET)
            .list()
            .getFirst();
    assertThat(right).hasToString("get leases.coordination.k8s.io m in x");
  }
}
