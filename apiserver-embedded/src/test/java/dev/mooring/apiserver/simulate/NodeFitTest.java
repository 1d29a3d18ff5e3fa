package dev.mooring.apiserver.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NodeFitTest {
  private static final String AFFINITY =
      "{'affinity': {'nodeAffinity': {'requiredDuringSchedulingIgnoredDuringExecution': {'nodeSelectorTerms': [%s]}}}}";

  private static JsonObject parse(String json) {
    return JsonParser.parseString(json).getAsJsonObject();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "plain             | {} | {} | true",
        "cordoned          | {'unschedulable': true} | {} | false",
        "cordon tolerated  | {'unschedulable': true} | {'tolerations': [{'operator': 'Exists'}]} | true",
        "taint             | {'taints': [{'key': 'a', 'value': 'b', 'effect': 'NoSchedule'}]} | {} | false",
        "taint tolerated   | {'taints': [{'key': 'a', 'value': 'b', 'effect': 'NoSchedule'}]} | {'tolerations': [{'key': 'a', 'value': 'b', 'effect': 'NoSchedule'}]} | true",
        "other value       | {'taints': [{'key': 'a', 'value': 'b', 'effect': 'NoSchedule'}]} | {'tolerations': [{'key': 'a', 'value': 'c'}]} | false",
        "soft taint        | {'taints': [{'key': 'a', 'effect': 'PreferNoSchedule'}]} | {} | true",
        "selected          | {} | {'nodeSelector': {'zone': 'z1'}} | true",
        "not selected      | {} | {'nodeSelector': {'zone': 'z2'}} | false",
      })
  void canRun_taintsAndSelectors_decide(String id, String node, String pod, boolean expected) {
    JsonObject subject = parse("{'metadata': {'name': 'n1', 'labels': {'zone': 'z1'}}}");
    subject.add("spec", parse(node));
    JsonObject wanted = new JsonObject();
    wanted.add("spec", parse(pod));
    assertThat(new NodeFit(subject).canRun(wanted)).as(id).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "label      | {'matchExpressions': [{'key': 'zone', 'operator': 'In', 'values': ['z1']}]} | true",
        "no label   | {'matchExpressions': [{'key': 'zone', 'operator': 'NotIn', 'values': ['z1']}]} | false",
        "name       | {'matchFields': [{'key': 'metadata.name', 'operator': 'In', 'values': ['n1']}]} | true",
        "other name | {'matchFields': [{'key': 'metadata.name', 'operator': 'In', 'values': ['n2']}]} | false",
      })
  void requiredAffinity_ofPodAndVolume_decides(String id, String term, boolean expected) {
    NodeFit node = new NodeFit(parse("{'metadata': {'name': 'n1', 'labels': {'zone': 'z1'}}}"));
    JsonObject pod = new JsonObject();
    pod.add("spec", parse(AFFINITY.formatted(term)));
    JsonObject volume =
        parse(
            "{'spec': {'nodeAffinity': {'required': {'nodeSelectorTerms': [%s]}}}}"
                .formatted(term));
    assertThat(node.canRun(pod)).as(id).isEqualTo(expected);
    assertThat(node.canReach(volume)).as(id).isEqualTo(expected);
  }
}
