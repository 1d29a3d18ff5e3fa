package dev.mooring.apiserver.codec;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonParser;
import dev.mooring.apiserver.codec.OpenApiProtobuf.OpenApiVersion;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** The expected bytes come from protoc and the published messages of OpenAPI documents. */
class OpenApiProtobufTest {
  private static String encoded(String json, OpenApiVersion version) {
    return HexFormat.of()
        .formatHex(
            OpenApiProtobuf.encode(
                JsonParser.parseString(json.replace('\'', '"')).getAsJsonObject(), version));
  }

  @Test
  void version2_everyMessage_isThatOfProtoc() {
    assertThat(
            encoded(
                """
                {'swagger':'2.0',
                 'paths':{'/a':{'patch':{
                   'parameters':[{'name':'n','in':'query','type':'string'}],
                   'responses':{'200':{'description':'OK'}},
                   'x-a':1}}},
                 'definitions':{'M':{
                   'type':'object',
                   'properties':{
                     'f':{'$ref':'#/definitions/N'},
                     'l':{'type':'array','items':{'type':'string'}},
                     'm':{'type':'object','additionalProperties':true}}}}}
                """,
                OpenApiVersion.V2))
        .isEqualTo(
            "0a03322e30424212400a022f61123a423842180a1612141a121205717565727922016e3206737472696e67"
                + "4a0f0a0d0a0332303012060a040a024f4b6a0b0a03782d6112041202310a4a650a630a014d125eb2"
                + "01080a066f626a656374ca01500a160a016612110a0f232f646566696e6974696f6e732f4e0a1f0a"
                + "016c121ab201070a056172726179ba010d0a0bb201080a06737472696e670a150a016d1210aa0102"
                + "1001b201080a066f626a656374");
  }

  @Test
  void version3_everyMessage_isThatOfProtoc() {
    assertThat(
            encoded(
                """
                {'openapi':'3.0.0',
                 'paths':{'/a':{'post':{
                   'parameters':[{'name':'n','in':'query','schema':{'type':'string'}}],
                   'responses':{'200':{'description':'OK'}},
                   'x-a':1}}},
                 'components':{'schemas':{'M':{
                   'type':'object',
                   'nullable':true,
                   'minimum':1.5,
                   'required':['f'],
                   'enum':['e'],
                   'allOf':[{'$ref':'#/c/N'}],
                   'items':{'type':'string'},
                   'properties':{'f':{'$ref':'#/c/N'}},
                   'additionalProperties':{'type':'integer'},
                   'default':true}}}}
                """,
                OpenApiVersion.V3))
        .isEqualTo(
            "0a05332e302e3022430a410a022f61123b323932190a170a016e12057175657279520b0a09ca010673747269"
                + "6e67420f120d0a0332303012060a040a024f4b6a0b0a03782d6112041202310a2a710a6f0a6d0a01"
                + "4d12680a66080169000000000000f83fba010166c2010612042265220aca01066f626a656374d201"
                + "0912070a05232f632f4ef2010d0a0b0a09ca0106737472696e67fa01100a0e0a0166120912070a05"
                + "232f632f4e82020e0a0c0a0aca0107696e74656765728a02021001");
  }
}
