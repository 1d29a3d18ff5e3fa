package com.example;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.mooring.junit.EmbeddedKubernetes;
import dev.mooring.junit.KubernetesServer;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

@SpringBootTest
class ShopApplicationTest {
  @EmbeddedKubernetes(manifests = "prices.yaml")
  static KubernetesServer kubernetes;

  @Autowired private ShopApplication.Prices prices;

  @DynamicPropertySource
  static void connect(DynamicPropertyRegistry properties) {
    properties.add("shop.kubeconfig", kubernetes::kubeconfig);
    properties.add("shop.namespace", kubernetes::namespace);
  }

  @Test
  void prices_ofConfigMap_areRead() throws Exception {
    assertEquals(Map.of("apple", "3"), prices.read());
  }
}
