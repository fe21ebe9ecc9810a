//! The contract's structs from the vectors.

use eip712::mandates::{Creation, Entry, PaymentRequest, Policy, SignerKind, Terms, Window};
use serde_json::Value;

use super::{number, parsed};

pub(crate) fn terms(of: &Value) -> Terms {
    Terms {
        challengePeriod: number(of, "challengePeriod"),
        resolutionTimeout: number(of, "resolutionTimeout"),
        silenceBps: number(of, "silenceBps"),
        resolver: parsed(of, "resolver"),
    }
}

pub(crate) fn request(of: &Value) -> PaymentRequest {
    PaymentRequest {
        mandate: parsed(of, "mandate"),
        policyVersion: number(of, "policyVersion"),
        requestId: parsed(of, "requestId"),
        token: parsed(of, "token"),
        maxAmount: number(of, "maxAmount"),
        recipient: parsed(of, "recipient"),
        service: parsed(of, "service"),
        jobHash: parsed(of, "jobHash"),
        validAfter: number(of, "validAfter"),
        validBefore: number(of, "validBefore"),
        deliverBy: number(of, "deliverBy"),
        captureBy: number(of, "captureBy"),
        refundBy: number(of, "refundBy"),
        terms: terms(&of["terms"]),
    }
}

fn policy(of: &Value) -> Policy {
    Policy {
        validAfter: number(of, "validAfter"),
        validBefore: number(of, "validBefore"),
        paymentCap: number(of, "paymentCap"),
        dayCap: number(of, "dayCap"),
        monthCap: number(of, "monthCap"),
        lifetimeCap: number(of, "lifetimeCap"),
        dayCount: number(of, "dayCount"),
        approvalAbove: number(of, "approvalAbove"),
        terms: terms(&of["terms"]),
    }
}

fn entry(of: &Value) -> Entry {
    Entry {
        recipient: parsed(of, "recipient"),
        service: parsed(of, "service"),
        paymentCap: number(of, "paymentCap"),
        windowCap: number(of, "windowCap"),
        window: Window::try_from(number::<u8>(of, "window")).unwrap(),
    }
}

pub(crate) fn creation(of: &Value) -> Creation {
    let kind = |name| SignerKind::try_from(number::<u8>(of, name)).unwrap();
    Creation {
        salt: parsed(of, "salt"),
        ownerKind: kind("ownerKind"),
        agentKind: kind("agentKind"),
        agent: parsed(of, "agent"),
        token: parsed(of, "token"),
        amendDelay: number(of, "amendDelay"),
        policy: policy(&of["policy"]),
        entries: of["entries"].as_array().unwrap().iter().map(entry).collect(),
    }
}
