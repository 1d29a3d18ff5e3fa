package dev.mooring.manager.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.Gson;
import dev.mooring.cluster.RbacRule;
import dev.mooring.cluster.RbacRules;
import dev.mooring.live.RawObject;
import dev.mooring.model.Kind;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WebhookCheckTest {
  private static final List<RbacRule> RIGHTS =
      RbacRules.forPurpose("a test")
          .may(Kind.VOLUME, RbacRule.Verb.PATCH)
          .mayStatus(Kind.CLAIM, RbacRule.Verb.PATCH)
          .may(Kind.STORAGE_CLASS, RbacRule.Verb.LIST)
          .list();

  private static CheckFinding result(String webhook, boolean isUnavailable) {
    RawObject configuration =
        new RawObject(
            new Gson()
                .fromJson(
                    "{\"metadata\": {\"name\": \"policy\"}, \"webhooks\": [" + webhook + "]}",
                    Map.class));
    return new WebhookCheck(RIGHTS, service -> isUnavailable && service.equals("ns/svc"))
        .results(List.of(configuration))
        .getFirst();
  }

  private static String webhook(String policy, String group, String resource, String operation) {
    return """
    {"name": "w.example.com", "failurePolicy": "%s", "clientConfig": {"service": {"namespace": "ns", "name": "svc"}},
     "rules": [{"apiGroups": ["%s"], "apiVersions": ["*"], "operations": ["%s"], "resources": ["%s"]}]}
    """
        .formatted(policy, group, operation, resource);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      value = {
        "Fail   |                | persistentvolumes            | UPDATE | true",
        "Fail   | *              | *                            | *      | true",
        "Fail   |                | */*                          | UPDATE | true",
        "Fail   |                | persistentvolumeclaims/*     | UPDATE | true",
        "Fail   |                | persistentvolumeclaims/status| UPDATE | true",
        "Ignore |                | persistentvolumes            | UPDATE | false",
        "Fail   |                | persistentvolumes            | CREATE | false",
        "Fail   |                | persistentvolumeclaims       | UPDATE | false",
        "Fail   | apps           | persistentvolumes            | UPDATE | false",
        "Fail   | storage.k8s.io | storageclasses               | *      | false",
      })
  void webhook_rule_warnsIfItCoversAWrite(
      String policy, String group, String resource, String operation, boolean warns) {
    CheckFinding result =
        result(webhook(policy, group == null ? "" : group, resource, operation), false);
    assertThat(result.outcome())
        .isEqualTo(warns ? CheckFinding.Outcome.WARN : CheckFinding.Outcome.OK);
  }

  @Test
  void webhook_serviceWithoutEndpoint_fails() {
    CheckFinding result = result(webhook("Fail", "", "persistentvolumes", "UPDATE"), true);
    assertThat(result.outcome()).isEqualTo(CheckFinding.Outcome.FAIL);
    assertThat(result.text())
        .contains("policy, webhook w.example.com", "persistentvolumes", "ns/svc has no ready");
  }

  @Test
  void webhook_malformed_isIgnored() {
    assertThat(result("{\"rules\": 1}, 2, {\"rules\": [3]}", true).outcome())
        .isEqualTo(CheckFinding.Outcome.OK);
  }
}
