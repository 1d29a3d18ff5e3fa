package dev.mooring.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CustomResourcesTest {
  private static final String DEFINITIONS =
      "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  private static final String THINGS = "/apis/lab.example.com/v1/namespaces/default/things";

  private final ApiServer server = NamespacesTest.start();
  private final Client client = new Client(server, "tok");

  @BeforeEach
  void define() throws Exception {
    Client.Answer created =
        client.post(
            DEFINITIONS,
            """
            {'metadata':{'name':'things.lab.example.com'},'spec':{'group':'lab.example.com','scope':'Namespaced',
             'names':{'plural':'things','kind':'Thing'},'versions':[{'name':'v1','served':true,'storage':true,
             'subresources':{'status':{}},'schema':{'openAPIV3Schema':{'type':'object','properties':{
              'spec':{'type':'object','properties':{'size':{'type':'integer','default':3,'maximum':9},'name':{'type':'string'}},
               'x-kubernetes-validations':[{'rule':'!has(oldSelf.name) || self.name == oldSelf.name','message':'name cannot be changed'}]},
              'status':{'type':'object','properties':{'ready':{'type':'boolean'}}}}}}}]}}\
            """);
    assertThat(created.code()).as(created.body().toString()).isEqualTo(201);
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
  }

  private static String makeThing(String spec) {
    return "{'apiVersion':'lab.example.com/v1','kind':'Thing','metadata':{'name':'t'},'spec':{"
        + spec
        + "}}";
  }

  @Test
  void create_unknownField_isPrunedWithDefaultsSet() throws Exception {
    Client.Answer answer = client.post(THINGS, makeThing("'siz':1"));

    assertThat(answer.at("spec")).isEqualTo("{\"size\":3}");
    assertThat(answer.warnings()).containsExactly("299 - \"unknown field \\\"spec.siz\\\"\"");
  }

  @Test
  void create_violatesSchema_isRefused() throws Exception {
    assertThat(client.post(THINGS, makeThing("'size':10")).causes())
        .containsExactly("FieldValueInvalid spec.size");
    assertThat(client.post(THINGS, makeThing("'size':'x'")).causes())
        .contains("FieldValueTypeInvalid spec.size");
  }

  @Test
  void update_violatesRuleOnOldValue_isRefused() throws Exception {
    client.post(THINGS, makeThing("'name':'a'"));

    assertThat(client.merge(THINGS + "/t", "{'spec':{'name':'b'}}").at("message"))
        .contains("name cannot be changed");
    assertThat(client.merge(THINGS + "/t", "{'spec':{'size':4}}").code()).isEqualTo(200);
  }

  @Test
  void deleteDefinition_withResource_deletesBoth() throws Exception {
    client.post(THINGS, makeThing(""));

    client.delete(DEFINITIONS + "/things.lab.example.com");

    assertThat(client.get(DEFINITIONS + "/things.lab.example.com").code()).isEqualTo(404);
    assertThat(client.get(THINGS).code()).isEqualTo(404);
  }
}
