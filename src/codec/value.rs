//! From a model's name to its value.

/// Evaluates an expression with the value of a model at hand, whatever its type: a reference that lives forever. A list is
/// a slice.
macro_rules! with_value {
    ($kind:expr, $value:ident => $body:expr) => {
        match $kind {
            $crate::model::ModelKind::Simple => with_value!(@ $crate::model::SIMPLE, $value => $body),
            $crate::model::ModelKind::Nested => with_value!(@ $crate::model::NESTED, $value => $body),
            $crate::model::ModelKind::Fast => with_value!(@ $crate::model::FAST, $value => $body),
            $crate::model::ModelKind::Contact => with_value!(@ $crate::model::CONTACT, $value => $body),
            $crate::model::ModelKind::Payload16 => with_value!(@ $crate::model::PAYLOAD_16, $value => $body),
            $crate::model::ModelKind::Payload128 => with_value!(@ $crate::model::PAYLOAD_128, $value => $body),
            $crate::model::ModelKind::Payload1024 => with_value!(@ $crate::model::PAYLOAD_1024, $value => $body),
            $crate::model::ModelKind::User => {
                let $value: &'static [$crate::model::User] = &$crate::model::USERS;
                $body
            }
            $crate::model::ModelKind::Demo => {
                let $value: &'static [$crate::model::Demo] = &$crate::model::DEMOS;
                $body
            }
        }
    };
    (@ $sample:path, $value:ident => $body:expr) => {{
        let $value = &*$sample;
        $body
    }};
}
