package dev.mooring.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.mooring.apiserver.access.RequestUser;
import dev.mooring.apiserver.tls.CertificateAuthority;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Webhooks on this host change, refuse and warn about requests. */
@Timeout(20)
class WebhooksTest {
  private static final String MAPS = "/api/v1/namespaces/default/configmaps";
  private static final String CONFIGURATIONS = "/apis/admissionregistration.k8s.io/v1/";
  private static final String MAP_RULE =
      "{'operations':['CREATE','UPDATE','DELETE'],'apiGroups':[''],'apiVersions':['v1'],'resources':['configmaps']}";

  private final ApiServer server = NamespacesTest.start();
  private final Client client = new Client(server, "tok");
  private final List<JsonObject> requests = new CopyOnWriteArrayList<>();
  private final HttpServer hooks = HttpServer.create(loopback(), 0);

  WebhooksTest() throws IOException {
    answer("/allow", request -> "'allowed':true");
    answer("/deny", request -> "'allowed':false,'status':{'message':'no','code':418}");
    answer("/silent", request -> "'allowed':false");
    answer("/warn", request -> "'allowed':true,'warnings':['careful']");
    answer(
        "/patch",
        request -> {
          String patch = "[{\"op\":\"add\",\"path\":\"/data\",\"value\":{\"added\":\"1\"}}]";
          String encoded =
              Base64.getEncoder().encodeToString(patch.getBytes(StandardCharsets.UTF_8));
          return "'allowed':true,'patchType':'JSONPatch','patch':'" + encoded + "'";
        });
    hooks.start();
  }

  private static InetSocketAddress loopback() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  }

  private void answer(String path, Function<JsonObject, String> response) {
    answer(hooks, path, response);
  }

  private void answer(HttpServer target, String path, Function<JsonObject, String> response) {
    target.createContext(
        path,
        exchange -> {
          JsonObject request = readRequest(exchange);
          requests.add(request);
          String body =
              "{'kind':'AdmissionReview','apiVersion':'admission.k8s.io/v1','response':{'uid':'%s',%s}}"
                  .formatted(request.get("uid").getAsString(), response.apply(request))
                  .replace('\'', '"');
          exchange.sendResponseHeaders(200, body.length());
          exchange.getResponseBody().write(body.getBytes(StandardCharsets.UTF_8));
          exchange.close();
        });
  }

  private static JsonObject readRequest(HttpExchange exchange) throws IOException {
    String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    return JsonParser.parseString(body).getAsJsonObject().getAsJsonObject("request");
  }

  @AfterEach
  void stop() throws IOException {
    hooks.stop(0);
    server.close();
  }

  private String url(String path) {
    return "'url':'http://127.0.0.1:" + hooks.getAddress().getPort() + path + "'";
  }

  /** Registers a webhook for config maps, with further members. */
  private void register(String kind, String clientConfig, String members) throws Exception {
    Client.Answer answer =
        client.post(
            CONFIGURATIONS + kind.toLowerCase(Locale.ROOT) + "webhookconfigurations",
            "{'metadata':{'name':'c'},'webhooks':[{'name':'w.example.com','sideEffects':'None','admissionReviewVersions':['v1'],"
                + "'clientConfig':{"
                + clientConfig
                + "},'rules':["
                + MAP_RULE
                + "]"
                + members
                + "}]}");
    assertThat(answer.code()).as(answer.at("message")).isEqualTo(201);
  }

  private Client.Answer createMap(String name) throws Exception {
    return client.post(MAPS, "{'metadata':{'name':'" + name + "','labels':{'app':'a'}}}");
  }

  @Test
  void validatingWebhook_denies_requestIsRefusedWithItsMessage() throws Exception {
    register("Validating", url("/deny"), "");
    Client.Answer refusal = createMap("m");
    assertThat(refusal.code()).isEqualTo(418);
    assertThat(refusal.at("message"))
        .isEqualTo("admission webhook \"w.example.com\" denied the request: no");
    assertThat(client.get(MAPS + "/m").code()).isEqualTo(404);
    JsonObject request = requests.getFirst();
    assertThat(request.get("operation").getAsString()).isEqualTo("CREATE");
    assertThat(request.getAsJsonObject("userInfo").get("username").getAsString())
        .isEqualTo("admin");
    assertThat(request.getAsJsonObject("object").get("kind").getAsString()).isEqualTo("ConfigMap");
    assertThat(request.get("oldObject").isJsonNull()).isTrue();
  }

  @Test
  void validatingWebhook_deniesWithoutReason_hasCode400() throws Exception {
    register("Validating", url("/silent"), "");
    Client.Answer refusal = createMap("m");
    assertThat(refusal.code()).isEqualTo(400);
    assertThat(refusal.at("message"))
        .isEqualTo("admission webhook \"w.example.com\" denied the request without explanation");
  }

  @Test
  void validatingWebhook_warns_clientGetsTheWarning() throws Exception {
    register("Validating", url("/warn"), "");
    assertThat(createMap("m").warnings()).containsExactly("299 - \"careful\"");
  }

  @Test
  void mutatingWebhook_patches_objectIsStoredWithThePatch() throws Exception {
    register("Mutating", url("/patch"), "");
    assertThat(createMap("m").at("data", "added")).isEqualTo("1");
    client.put(MAPS + "/m", "{'metadata':{'name':'m'},'data':{'other':'2'}}");
    assertThat(client.get(MAPS + "/m").at("data")).isEqualTo("{\"added\":\"1\"}");
    assertThat(requests.getLast().getAsJsonObject("oldObject").has("data")).isTrue();
    assertThat(client.delete(MAPS + "/m").code()).isEqualTo(200);
    assertThat(requests.getLast().get("object").isJsonNull()).isTrue();
  }

  @Test
  void webhook_writesTheObjectThatItReviews_isNotBlocked() throws Exception {
    createMap("m");
    server.tokens().accept("hook", RequestUser.of("hook", "", List.of(RequestUser.MASTERS)));
    answer(
        "/write",
        request -> {
          try {
            client.with("hook").merge(MAPS + "/m", "{'data':{'hook':'1'}}");
          } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
          }
          return "'allowed':true";
        });
    register(
        "Validating",
        url("/write"),
        ",'matchConditions':[{'name':'n','expression':\"request.userInfo.username != \\u0027hook\\u0027\"}]");
    Client.Answer updated = client.merge(MAPS + "/m", "{'data':{'user':'1'}}");
    assertThat(updated.at("data")).isEqualTo("{\"hook\":\"1\",\"user\":\"1\"}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "'objectSelector':{'matchLabels':{'app':'b'}} | 0",
        "'objectSelector':{'matchLabels':{'app':'a'}} | 1",
        "'namespaceSelector':{'matchLabels':{'kubernetes.io/metadata.name':'default'}} | 1",
        "'namespaceSelector':{'matchExpressions':[{'key':'kubernetes.io/metadata.name','operator':'NotIn','values':['default']}]} | 0",
        "'matchConditions':[{'name':'n','expression':'object.metadata.name == `m`'}] | 1",
        "'matchConditions':[{'name':'n','expression':'request.operation == `DELETE`'}] | 0",
      })
  void webhook_withSelector_isCalledForSelectedObjects(String members, int calls) throws Exception {
    register("Validating", url("/allow"), "," + members.replace("`", "\\u0027"));
    createMap("m");
    assertThat(requests).hasSize(calls);
  }

  @Test
  void webhook_ofSubresources_reviewsTheirOwnKinds() throws Exception {
    String pod = "{'containers':[{'name':'c','image':'i'}]}";
    String deployments = "/apis/apps/v1/namespaces/default/deployments";
    String pods = "/api/v1/namespaces/default/pods";
    client.post(pods, "{'metadata':{'name':'p'},'spec':" + pod + "}");
    client.post(
        deployments,
        "{'metadata':{'name':'d'},'spec':{'selector':{'matchLabels':{'a':'b'}},'template':{'metadata':{'labels':{'a':'b'}},'spec':"
            + pod
            + "}}}");
    String all = "{'operations':['*'],'apiGroups':['*'],'apiVersions':['*'],'resources':['*/*']}";
    client.post(
        CONFIGURATIONS + "validatingwebhookconfigurations",
        "{'metadata':{'name':'c'},'webhooks':[{'name':'w.example.com','sideEffects':'None','admissionReviewVersions':['v1'],'clientConfig':{"
            + url("/allow")
            + "},'rules':["
            + all
            + "]}]}");
    client.merge(deployments + "/d/scale", "{'spec':{'replicas':4}}");
    client.merge(deployments + "/d/status", "{'status':{'observedGeneration':2}}");
    client.post(pods + "/p/eviction", "{'metadata':{'name':'p'}}");
    assertThat(requests)
        .extracting(request -> request.getAsJsonObject("kind").get("kind").getAsString())
        .containsExactly("Scale", "Deployment", "Eviction");
    assertThat(requests.getFirst().getAsJsonObject("object").getAsJsonObject("spec").toString())
        .isEqualTo("{\"replicas\":4}");
  }

  @Test
  void webhook_ofOtherVersion_reviewsTheObjectInItsVersion() throws Exception {
    String version =
        "{'name':'%s','served':true,'storage':%s,'schema':{'openAPIV3Schema':{'type':'object'}}}";
    client.post(
        "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
        "{'metadata':{'name':'xs.example.com'},'spec':{'group':'example.com','scope':'Namespaced','names':{'plural':'xs','kind':'X'},'versions':["
            + version.formatted("v1", "true")
            + ","
            + version.formatted("v2", "false")
            + "]}}");
    client.post(
        CONFIGURATIONS + "validatingwebhookconfigurations",
        "{'metadata':{'name':'c'},'webhooks':[{'name':'w.example.com','sideEffects':'None','admissionReviewVersions':['v1'],'clientConfig':{"
            + url("/allow")
            + "},'rules':[{'operations':['CREATE'],'apiGroups':['example.com'],'apiVersions':['v1'],'resources':['xs']}]}]}");
    Client.Answer created =
        client.post(
            "/apis/example.com/v2/namespaces/default/xs",
            "{'kind':'X','apiVersion':'example.com/v2','metadata':{'name':'x'}}");
    assertThat(created.code()).as(created.at("message")).isEqualTo(201);
    JsonObject request = requests.getFirst();
    assertThat(request.getAsJsonObject("object").get("apiVersion").getAsString())
        .isEqualTo("example.com/v1");
    assertThat(request.getAsJsonObject("requestKind").get("version").getAsString()).isEqualTo("v2");
  }

  @Test
  void webhook_unreachable_failurePolicyDecides() throws Exception {
    register("Validating", "'url':'http://127.0.0.1:1/x'", "");
    Client.Answer refusal = createMap("m");
    assertThat(refusal.code()).isEqualTo(500);
    assertThat(refusal.at("message"))
        .isEqualTo(
            "Internal error occurred: failed calling webhook \"w.example.com\": failed to call webhook: "
                + "Post \"http://127.0.0.1:1/x?timeout=10s\": dial tcp 127.0.0.1:1: connect: connection refused");
    String path = CONFIGURATIONS + "validatingwebhookconfigurations/c";
    client.send(
        "PATCH",
        path,
        "[{'op':'replace','path':'/webhooks/0/failurePolicy','value':'Ignore'}]",
        "Content-Type",
        "application/json-patch+json");
    assertThat(createMap("m").code()).isEqualTo(201);
  }

  @Test
  void webhook_ofDryRun_reviewNamesTheDryRun() throws Exception {
    register("Validating", url("/allow"), "");
    client.post(MAPS + "?dryRun=All", "{'metadata':{'name':'m'}}");
    assertThat(requests.getFirst().get("dryRun").getAsBoolean()).isTrue();
  }

  @Test
  void webhook_ofService_isCalledOverTlsAtTheTargetPort() throws Exception {
    CertificateAuthority authority = new CertificateAuthority();
    HttpsServer tls = HttpsServer.create(loopback(), 0);
    try {
      tls.setHttpsConfigurator(new HttpsConfigurator(makeContext(authority, "hook.default.svc")));
      answer(tls, "/deny", request -> "'allowed':false,'status':{'message':'by TLS'}");
      tls.start();
      client.post(
          "/api/v1/namespaces/default/services",
          "{'metadata':{'name':'hook'},'spec':{'ports':[{'port':443,'targetPort':%d}]}}"
              .formatted(tls.getAddress().getPort()));
      String bundle =
          Base64.getEncoder().encodeToString(authority.pem().getBytes(StandardCharsets.UTF_8));
      register(
          "Validating",
          "'service':{'namespace':'default','name':'hook','path':'/deny'},'caBundle':'"
              + bundle
              + "'",
          "");
      assertThat(createMap("m").at("message")).endsWith("denied the request: by TLS");
    } finally {
      tls.stop(0);
    }
  }

  private static SSLContext makeContext(CertificateAuthority authority, String name)
      throws GeneralSecurityException {
    CertificateAuthority.KeyPairFiles files = authority.server(List.of(name));
    CertificateFactory certificates = CertificateFactory.getInstance("X.509");
    String key = files.key().replaceAll("-----.*-----", "");
    return CertificateAuthority.createContext(
        KeyFactory.getInstance("EC")
            .generatePrivate(new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(key))),
        certificates.generateCertificate(toStream(files.certificate())),
        certificates.generateCertificate(toStream(authority.pem())));
  }

  private static InputStream toStream(String pem) {
    return new ByteArrayInputStream(pem.getBytes(StandardCharsets.US_ASCII));
  }

  @Test
  void configuration_invalid_isRefused() throws Exception {
    Client.Answer refusal =
        client.post(
            CONFIGURATIONS + "validatingwebhookconfigurations",
            "{'metadata':{'name':'c'},'webhooks':[{'name':'w','sideEffects':'Some','admissionReviewVersions':['v1'],"
                + "'clientConfig':{'url':'http://example.com/'},'matchConditions':[{'name':'n','expression':'nothing'}]}]}");
    assertThat(refusal.causes())
        .containsExactlyInAnyOrder(
            "FieldValueNotSupported webhooks[0].sideEffects",
            "FieldValueInvalid webhooks[0].name",
            "FieldValueInvalid webhooks[0].clientConfig.url",
            "FieldValueInvalid webhooks[0].matchConditions[0].expression");
  }
}
