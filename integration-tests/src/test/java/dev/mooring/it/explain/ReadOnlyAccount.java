package dev.mooring.it.explain;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.mooring.apiserver.access.RequestUser;
import dev.mooring.it.RestApi;
import java.util.List;
import java.util.stream.Stream;

/** An account with read-only access. */
public final class ReadOnlyAccount {
  public static final String TOKEN = "viewer-token";
  public static final RequestUser USER = RequestUser.of("viewer", "", List.of());
  public static final List<String> READS = List.of("get", "list", "watch");
  private static final String RBAC = "/apis/rbac.authorization.k8s.io/v1/";

  private ReadOnlyAccount() {}

  /** Grants the account read access to exactly these resources. */
  public static void grantRead(RestApi admin, String core, String storage) throws Exception {
    JsonArray rules = new JsonArray();
    rules.add(rule("", core));
    rules.add(rule("storage.k8s.io", storage));
    JsonObject role = objectNamed("viewer");
    role.add("rules", rules);
    admin.post(RBAC + "clusterroles", role);
    JsonObject binding = objectNamed("viewer");
    binding.add(
        "roleRef",
        JsonParser.parseString(
            "{\"apiGroup\": \"rbac.authorization.k8s.io\", \"kind\": \"ClusterRole\", \"name\": \"viewer\"}"));
    binding.add(
        "subjects",
        JsonParser.parseString(
            "[{\"apiGroup\": \"rbac.authorization.k8s.io\", \"kind\": \"User\", \"name\": \"viewer\"}]"));
    admin.post(RBAC + "clusterrolebindings", binding);
  }

  private static JsonObject objectNamed(String name) {
    JsonObject object = new JsonObject();
    JsonObject metadata = new JsonObject();
    metadata.addProperty("name", name);
    object.add("metadata", metadata);
    return object;
  }

  private static JsonObject rule(String group, String resources) {
    JsonObject rule = new JsonObject();
    rule.add("apiGroups", array(Stream.of(group)));
    rule.add("resources", array(Stream.of(resources.split(","))));
    rule.add("verbs", array(READS.stream()));
    return rule;
  }

  private static JsonArray array(Stream<String> values) {
    JsonArray array = new JsonArray();
    values.forEach(array::add);
    return array;
  }
}
