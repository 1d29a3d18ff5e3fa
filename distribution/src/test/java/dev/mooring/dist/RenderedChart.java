package dev.mooring.dist;

import com.google.gson.Gson;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.marcnuri.helm.Helm;
import io.kubernetes.client.openapi.models.RbacV1Subject;
import io.kubernetes.client.openapi.models.V1ClusterRole;
import io.kubernetes.client.openapi.models.V1ClusterRoleBinding;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1NetworkPolicy;
import io.kubernetes.client.openapi.models.V1PodDisruptionBudget;
import io.kubernetes.client.openapi.models.V1Role;
import io.kubernetes.client.openapi.models.V1RoleBinding;
import io.kubernetes.client.openapi.models.V1Service;
import io.kubernetes.client.openapi.models.V1ServiceAccount;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import org.yaml.snakeyaml.Yaml;

/**
 * Output of Helm for some values.
 *
 * @param text manifests as Helm prints them
 * @param objects all objects
 */
record RenderedChart(String text, List<JsonObject> objects) {
  static final Path CHART = Path.of("..", "deploy", "chart");
  static final String NAMESPACE = "storage";

  static boolean isHelmSupported() {
    return System.getProperty("os.name").equals("Linux")
        && System.getProperty("os.arch").toLowerCase(Locale.ROOT).equals("amd64");
  }

  static RenderedChart of(String values) throws IOException {
    return of(values, NAMESPACE);
  }

  static RenderedChart of(String values, String namespace) throws IOException {
    Path file = Files.writeString(Files.createTempFile("values", ".yaml"), values);
    try {
      String text =
          new Helm(CHART)
              .template()
              .withName("mooring")
              .withNamespace(namespace)
              .withKubeVersion("1.36.0")
              .withValuesFile(file)
              .call();
      List<JsonObject> objects = new ArrayList<>();
      for (Object manifest : new Yaml().loadAll(text)) {
        if (manifest != null) {
          objects.add(new Gson().toJsonTree(manifest).getAsJsonObject());
        }
      }
      return new RenderedChart(text, objects);
    } finally {
      Files.delete(file);
    }
  }

  /** Parses every object with client-java, which rejects unknown members. */
  void decode() throws IOException {
    for (JsonObject object : objects) {
      String kind = object.get("kind").getAsString();
      switch (kind) {
        case "ConfigMap" -> V1ConfigMap.validateJsonElement(object);
        case "Service" -> V1Service.validateJsonElement(object);
        case "ServiceAccount" -> V1ServiceAccount.validateJsonElement(object);
        case "ClusterRole" -> V1ClusterRole.validateJsonElement(object);
        case "ClusterRoleBinding" -> V1ClusterRoleBinding.validateJsonElement(object);
        case "Role" -> V1Role.validateJsonElement(object);
        case "RoleBinding" -> V1RoleBinding.validateJsonElement(object);
        case "Deployment" -> V1Deployment.validateJsonElement(object);
        case "PodDisruptionBudget" -> V1PodDisruptionBudget.validateJsonElement(object);
        case "NetworkPolicy" -> V1NetworkPolicy.validateJsonElement(object);
        case "ServiceMonitor" -> OperatorKinds.checkMonitor(object);
        case "PrometheusRule" -> OperatorKinds.checkRule(object);
        default -> throw new IOException("unknown kind " + kind);
      }
      if (object.has("subjects")) {
        for (JsonElement subject : object.getAsJsonArray("subjects")) {
          RbacV1Subject.validateJsonElement(subject);
        }
      }
    }
  }

  List<JsonObject> ofKind(String kind) {
    return objects.stream().filter(o -> o.get("kind").getAsString().equals(kind)).toList();
  }

  JsonObject podSpec() {
    return ofKind("Deployment")
        .getFirst()
        .getAsJsonObject("spec")
        .getAsJsonObject("template")
        .getAsJsonObject("spec");
  }

  JsonObject container() {
    return podSpec().getAsJsonArray("containers").get(0).getAsJsonObject();
  }

  /** Returns the container's command and arguments. */
  String command() {
    return container().getAsJsonArray("args").get(0).getAsString();
  }

  List<String> flags() {
    List<String> flags = strings(container().getAsJsonArray("args"));
    return flags.subList(1, flags.size());
  }

  static List<String> strings(JsonArray array) {
    List<String> texts = new ArrayList<>();
    array.forEach(element -> texts.add(element.getAsString()));
    return texts;
  }

  /** Returns every right of the roles as "verb group resource name in namespace". */
  TreeSet<String> rights() {
    TreeSet<String> rights = new TreeSet<>();
    List<JsonObject> roles = new ArrayList<>(ofKind("ClusterRole"));
    roles.addAll(ofKind("Role"));
    roles.removeIf(role -> name(role).endsWith("-reader")); // roles for other users
    for (JsonObject role : roles) {
      JsonElement namespace = role.getAsJsonObject("metadata").get("namespace");
      for (JsonElement element : role.getAsJsonArray("rules")) {
        JsonObject rule = element.getAsJsonObject();
        List<String> names =
            rule.has("resourceNames") ? strings(rule.getAsJsonArray("resourceNames")) : List.of("");
        for (String verb : strings(rule.getAsJsonArray("verbs"))) {
          for (String resource : strings(rule.getAsJsonArray("resources"))) {
            for (String group : strings(rule.getAsJsonArray("apiGroups"))) {
              for (String name : names) {
                rights.add(
                    right(
                        verb,
                        group,
                        resource,
                        name,
                        namespace == null ? "" : namespace.getAsString()));
              }
            }
          }
        }
      }
    }
    // rights in a namespace may repeat cluster-wide rights
    rights.removeIf(right ->
        !right.endsWith(" in ") && rights.contains(right.substring(0, right.lastIndexOf(' ') + 1)));
    return rights;
  }

  private static String name(JsonObject object) {
    return object.getAsJsonObject("metadata").get("name").getAsString();
  }

  static String right(String verb, String group, String resource, String name, String namespace) {
    return String.join(" ", verb, group + "/" + resource, name, "in", namespace);
  }
}
